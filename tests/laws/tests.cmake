# SPDX-License-Identifier: Apache-2.0
# The laws as properties, and programs that do not share the engine's code.
add_library(laws_support STATIC
    laws/tree.c laws/generate_text.c laws/generate.c laws/references.c laws/laws.c
    laws/edit.c laws/shrink.c laws/compare_models.c laws/law_of_document.c laws/law_of_model.c
    laws/law_of_edits.c laws/law_of_promotion.c)
target_link_libraries(laws_support PUBLIC test_support)
foreach(program test-laws-laws)
    target_link_libraries(${program} PRIVATE laws_support ocp_convert_all)
endforeach()

# The long run: 10,000 documents a dialect and direction.
add_test(NAME laws-long COMMAND test-laws-laws)
set_tests_properties(laws-long PROPERTIES LABELS long TIMEOUT 7200
                     ENVIRONMENT "OCP_LAWS=10000")
