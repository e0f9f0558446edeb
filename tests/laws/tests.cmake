# SPDX-License-Identifier: Apache-2.0
# The laws as properties, and programs that do not share the engine's code.
add_library(laws_support STATIC
    laws/tree.c laws/generate_text.c laws/generate_place.c laws/generate.c laws/references.c laws/laws.c
    laws/edit.c laws/shrink.c laws/compare_models.c laws/law_of_document.c laws/law_of_model.c
    laws/law_of_bare.c laws/law_of_edits.c laws/law_of_promotion.c)
target_link_libraries(laws_support PUBLIC test_support)
foreach(program test-laws-laws test-laws-faults)
    target_link_libraries(${program} PRIVATE laws_support ocp_convert_all)
endforeach()
add_executable(laws-generate laws/write_documents.c)
target_link_libraries(laws-generate PRIVATE laws_support ocp_convert_all)

# The long run: 10,000 documents a dialect and direction.
foreach(label opencheckpoint specrail@1 specrail@2 specrail@3 specrail-cursor
        session-checkpoint@1 session-checkpoint@2 caop-pulse caop-resume-brief)
    add_test(NAME laws-long-${label} COMMAND test-laws-laws)
    set_tests_properties(laws-long-${label} PROPERTIES LABELS long TIMEOUT 14400
                         ENVIRONMENT "OCP_LAWS=10000;OCP_DIALECT=${label}")
endforeach()

if(TARGET ocp-convert)
    add_test(NAME laws-account
             COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/laws/check_account.py
                     --program $<TARGET_FILE:ocp-convert>
                     --generator $<TARGET_FILE:laws-generate> --shared ${OCP_SHARED_DIR})
    set(round_trips ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/laws/round_trips.py
        --program $<TARGET_FILE:ocp-convert> --generator $<TARGET_FILE:laws-generate>
        --source ${CMAKE_SOURCE_DIR} --shared ${OCP_SHARED_DIR})
    add_test(NAME laws-round-trips COMMAND ${round_trips})
    add_test(NAME laws-round-trips-whole COMMAND ${round_trips} --whole)
    set_tests_properties(laws-round-trips PROPERTIES TIMEOUT 900)
    set_tests_properties(laws-round-trips-whole PROPERTIES LABELS long TIMEOUT 7200)
    add_test(NAME laws-environment
             COMMAND ${Python3_EXECUTABLE} ${CMAKE_CURRENT_SOURCE_DIR}/laws/environment.py
                     --program $<TARGET_FILE:ocp-convert> --source ${CMAKE_SOURCE_DIR})
    set_tests_properties(laws-account laws-environment PROPERTIES TIMEOUT 900)
endif()
