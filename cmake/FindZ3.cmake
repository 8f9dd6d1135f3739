# Defines Z3::Z3, because Debian's Z3 has no CMake package. PARTIR_Z3_ROOT: a folder with include/ and lib/ that is
# searched before the system's (PyPI's z3-solver has such a folder).
find_path(Z3_INCLUDE_DIR z3++.h HINTS ${PARTIR_Z3_ROOT}/include)
find_library(Z3_LIBRARY z3 HINTS ${PARTIR_Z3_ROOT}/lib)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(Z3 REQUIRED_VARS Z3_LIBRARY Z3_INCLUDE_DIR)
if(Z3_FOUND AND NOT TARGET Z3::Z3)
  add_library(Z3::Z3 UNKNOWN IMPORTED)
  set_target_properties(Z3::Z3 PROPERTIES IMPORTED_LOCATION ${Z3_LIBRARY} INTERFACE_INCLUDE_DIRECTORIES ${Z3_INCLUDE_DIR})
endif()
