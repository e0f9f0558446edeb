# SPDX-License-Identifier: Apache-2.0
# What cpack makes: a .tar.gz of everything, and three Debian packages. For these the
# prefix must be /usr when the build is configured (-DCMAKE_INSTALL_PREFIX=/usr).
set(CPACK_GENERATOR TGZ DEB)
set(CPACK_PACKAGE_NAME ocp-convert)
set(CPACK_PACKAGE_VENDOR "ocp-convert")
set(CPACK_PACKAGE_CONTACT "ocp-convert maintainers <maintainers@ocp-convert.example>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_RESOURCE_FILE_LICENSE ${CMAKE_SOURCE_DIR}/LICENSE)
set(CPACK_PACKAGING_INSTALL_PREFIX ${CMAKE_INSTALL_PREFIX})
set(CPACK_STRIP_FILES ON)
set(CPACK_VERBATIM_VARIABLES ON)
set(CPACK_COMPONENTS_ALL command library development)
set(CPACK_ARCHIVE_COMPONENT_INSTALL OFF)
set(CPACK_PROJECT_CONFIG_FILE ${CMAKE_CURRENT_LIST_DIR}/per-generator.cmake)

set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS_POLICY ">=")
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)

set(CPACK_DEBIAN_COMMAND_PACKAGE_NAME ocp-convert)
set(CPACK_DEBIAN_COMMAND_PACKAGE_SECTION utils)
set(CPACK_DEBIAN_COMMAND_DESCRIPTION
"converts checkpoints of unfinished tasks between agent runtimes
 Reads the dialect of any runtime it knows into the OpenCheckpoint model,
 writes any of them from it, and accounts for every value on the way.")

set(CPACK_DEBIAN_LIBRARY_PACKAGE_NAME libocp0)
set(CPACK_DEBIAN_LIBRARY_PACKAGE_SECTION libs)
set(CPACK_DEBIAN_LIBRARY_PACKAGE_CONTROL_EXTRA ${CMAKE_CURRENT_LIST_DIR}/triggers)
set(CPACK_DEBIAN_LIBRARY_DESCRIPTION
"converts checkpoints of unfinished tasks (shared library)
 The library behind ocp-convert: dialects of checkpoints into the
 OpenCheckpoint model and back, every value accounted for.")

set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME libocp-dev)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS
    "libocp0 (= ${PROJECT_VERSION}), libglib2.0-dev, libyaml-dev, libjson-c-dev")
set(CPACK_DEBIAN_DEVELOPMENT_DESCRIPTION
"converts checkpoints of unfinished tasks (development files)
 Headers, archive, pkg-config and CMake files of libocp, the library
 behind ocp-convert.")

# Debian wants these in every package. The change log is made of the version alone: a
# package of a distribution has its own.
find_program(OCP_GZIP gzip)
if(OCP_GZIP)
    set(changelog ${CMAKE_CURRENT_BINARY_DIR}/packaging/changelog)
    configure_file(${CMAKE_CURRENT_LIST_DIR}/changelog.in ${changelog} @ONLY)
    execute_process(COMMAND ${OCP_GZIP} -9nkf ${changelog})
    foreach(pair command:ocp-convert library:libocp0 development:libocp-dev)
        string(REPLACE ":" ";" pair ${pair})
        list(GET pair 0 component)
        list(GET pair 1 package)
        install(FILES ${CMAKE_CURRENT_LIST_DIR}/copyright ${changelog}.gz
                DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/${package} COMPONENT ${component})
    endforeach()
endif()

include(CPack)
