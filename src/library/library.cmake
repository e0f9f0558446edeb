# SPDX-License-Identifier: Apache-2.0
# libocp, shared and static: the layers that the public header reaches, and that header.
# What only the command needs (batch, capture) is not in it, nor are zlib and zstd.
set(ocp_library_layers library convert dialect mapping model schema embedded text value)

add_library(ocp_library OBJECT ${CMAKE_CURRENT_SOURCE_DIR}/library/converter.c
    ${CMAKE_CURRENT_SOURCE_DIR}/library/conversion.c
    ${CMAKE_CURRENT_SOURCE_DIR}/library/documents.c
    ${CMAKE_CURRENT_SOURCE_DIR}/library/json_c.c
    ${CMAKE_CURRENT_SOURCE_DIR}/library/report.c)
target_include_directories(ocp_library PRIVATE ${CMAKE_CURRENT_SOURCE_DIR})
target_link_libraries(ocp_library PRIVATE PkgConfig::GLIB PkgConfig::JSONC)
target_compile_definitions(ocp_library PRIVATE OCP_VERSION="${PROJECT_VERSION}")
add_library(ocp_library_all INTERFACE)
target_sources(ocp_library_all INTERFACE $<TARGET_OBJECTS:ocp_library>)
target_link_libraries(ocp_library_all INTERFACE ocp_convert_all)

set(ocp_objects)
foreach(layer ${ocp_library_layers})
    list(APPEND ocp_objects $<TARGET_OBJECTS:ocp_${layer}>)
endforeach()
add_library(ocp_shared SHARED ${ocp_objects})
add_library(ocp_static STATIC ${ocp_objects})
set(ocp_map ${CMAKE_CURRENT_SOURCE_DIR}/library/ocp.map)
target_link_libraries(ocp_shared PRIVATE PkgConfig::GLIB PkgConfig::YAML PkgConfig::JSONC m)
target_link_options(ocp_shared PRIVATE LINKER:--version-script,${ocp_map})
if(NOT OCP_SANITIZE)
    target_link_options(ocp_shared PRIVATE LINKER:-z,defs)
endif()
# SOVERSION counts changes that break a program; before 1.0.0 that is the minor version.
set_target_properties(ocp_shared PROPERTIES
    OUTPUT_NAME ocp EXPORT_NAME ocp VERSION ${PROJECT_VERSION} SOVERSION 0
    LINK_DEPENDS ${ocp_map} LINKER_LANGUAGE C)
set_target_properties(ocp_static PROPERTIES OUTPUT_NAME ocp EXPORT_NAME ocp_static
                                            LINKER_LANGUAGE C)
target_link_libraries(ocp_static INTERFACE
    $<INSTALL_INTERFACE:glib-2.0> $<INSTALL_INTERFACE:yaml> $<INSTALL_INTERFACE:json-c>
    $<INSTALL_INTERFACE:m>)
foreach(target ocp_shared ocp_static)
    target_include_directories(${target} PUBLIC
        $<BUILD_INTERFACE:${CMAKE_CURRENT_SOURCE_DIR}/library>
        $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
endforeach()

# ---- what is installed --------------------------------------------------------------

install(TARGETS ocp_shared EXPORT ocp-targets
        LIBRARY COMPONENT library NAMELINK_COMPONENT development)
install(TARGETS ocp_static EXPORT ocp-targets ARCHIVE COMPONENT development)
install(FILES library/ocp.h library/ocp_json.h TYPE INCLUDE COMPONENT development)

include(CMakePackageConfigHelpers)
set(ocp_package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/ocp)
install(EXPORT ocp-targets NAMESPACE ocp:: DESTINATION ${ocp_package_dir}
        COMPONENT development)
configure_package_config_file(library/ocp-config.cmake.in ocp-config.cmake
                              INSTALL_DESTINATION ${ocp_package_dir})
write_basic_package_version_file(ocp-config-version.cmake
                                 COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/ocp-config.cmake
              ${CMAKE_CURRENT_BINARY_DIR}/ocp-config-version.cmake
        DESTINATION ${ocp_package_dir} COMPONENT development)

# A prefix given at install time moves the folders too: relative to the .pc file.
file(RELATIVE_PATH ocp_pc_prefix /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
string(REGEX REPLACE "/$" "" ocp_pc_prefix "${ocp_pc_prefix}")
foreach(name libocp ocp-json)
    configure_file(library/${name}.pc.in ${name}.pc @ONLY)
    install(FILES ${CMAKE_CURRENT_BINARY_DIR}/${name}.pc
            DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT development)
endforeach()
