# `cmake --install BUILD --prefix P` installs the program, static libraries, headers under include/openpartir, and a
# package for find_package(OpenPartIR). Programs link OpenPartIR::OpenPartIR; each layer below it is also a target.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(layers support ir semantics rewrite lowering simulate verify driver search)
foreach(layer ${layers})
  set_target_properties(partir_${layer} PROPERTIES EXPORT_NAME ${layer})
  install(TARGETS partir_${layer} EXPORT OpenPartIR ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}/openpartir)
  install(DIRECTORY ${layer} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/openpartir FILES_MATCHING PATTERN "*.h")
endforeach()
install(FILES ${CMAKE_BINARY_DIR}/generated/support/version.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/openpartir/support)
if(TARGET partir)
  install(TARGETS partir RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()

set(package ${CMAKE_INSTALL_LIBDIR}/cmake/OpenPartIR)
install(EXPORT OpenPartIR FILE OpenPartIRTargets.cmake NAMESPACE OpenPartIR:: DESTINATION ${package})
configure_package_config_file(cmake/OpenPartIRConfig.cmake.in ${CMAKE_BINARY_DIR}/OpenPartIRConfig.cmake
  INSTALL_DESTINATION ${package})
write_basic_package_version_file(${CMAKE_BINARY_DIR}/OpenPartIRConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/OpenPartIRConfig.cmake ${CMAKE_BINARY_DIR}/OpenPartIRConfigVersion.cmake
  cmake/FindZ3.cmake DESTINATION ${package})
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
