# SPDX-License-Identifier: Apache-2.0
# Manual pages (made with scdoc, if there is one), completions, documents and examples.
find_program(OCP_SCDOC scdoc)
set(docs ${CMAKE_CURRENT_LIST_DIR})
set(manuals)
foreach(page ocp-convert.1 libocp.3 ocp-mapping.5)
    string(REGEX MATCH "[0-9]$" section ${page})
    set(source ${docs}/man/${page}.scd)
    set(manual ${CMAKE_CURRENT_BINARY_DIR}/man/${page}.gz)
    if(OCP_SCDOC)
        add_custom_command(
            OUTPUT ${manual}
            COMMAND ${CMAKE_COMMAND} -E make_directory ${CMAKE_CURRENT_BINARY_DIR}/man
            COMMAND SOURCE_DATE_EPOCH=0 ${OCP_SCDOC} < ${source} | gzip -9n > ${manual}
            DEPENDS ${source})
        list(APPEND manuals ${manual})
        set(component command)
        if(section EQUAL 3)
            set(component development)
        endif()
        install(FILES ${manual} DESTINATION ${CMAKE_INSTALL_MANDIR}/man${section}
                COMPONENT ${component})
    endif()
endforeach()
if(OCP_SCDOC)
    add_custom_target(manuals ALL DEPENDS ${manuals})
else()
    message(STATUS "no scdoc: the manual pages are not built")
endif()

set(completions ${docs}/completions)
install(FILES ${completions}/ocp-convert.bash RENAME ocp-convert
        DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions COMPONENT command)
install(FILES ${completions}/_ocp-convert
        DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions COMPONENT command)
install(FILES ${completions}/ocp-convert.fish
        DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d COMPONENT command)

file(GLOB pages CONFIGURE_DEPENDS ${docs}/*.md)
install(FILES ${pages} DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/ocp-convert
        COMPONENT command)
install(DIRECTORY ${docs}/mappings DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/ocp-convert
        COMPONENT command)
install(DIRECTORY ${docs}/examples DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/libocp-dev
        COMPONENT development)
