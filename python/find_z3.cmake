# Finds PyPI's z3-solver in the Python that builds the package: sets PARTIR_Z3_ROOT, and PARTIR_BUNDLE_Z3, by which its
# library is installed with the package. Otherwise the system's Z3 is used.
find_package(Python 3.10 REQUIRED COMPONENTS Interpreter Development.Module)
execute_process(COMMAND ${Python_EXECUTABLE} -c "import importlib.util as u; print(u.find_spec('z3').submodule_search_locations[0])"
  OUTPUT_STRIP_TRAILING_WHITESPACE OUTPUT_VARIABLE PARTIR_Z3_ROOT RESULT_VARIABLE status ERROR_QUIET)
if(status EQUAL 0 AND EXISTS ${PARTIR_Z3_ROOT}/include/z3++.h)
  set(PARTIR_BUNDLE_Z3 ON)
else()
  unset(PARTIR_Z3_ROOT)
endif()
