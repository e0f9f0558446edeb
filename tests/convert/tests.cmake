# SPDX-License-Identifier: Apache-2.0
include(${CMAKE_CURRENT_LIST_DIR}/specrail.cmake OPTIONAL)

# The long run: every document of the corpus, where the ordinary run takes a sample.
foreach(name routes caop-corpus)
    if(TARGET test-convert-${name})
        add_test(NAME convert-${name}-long COMMAND test-convert-${name})
        set_tests_properties(convert-${name}-long PROPERTIES LABELS long TIMEOUT 3600
                             SKIP_RETURN_CODE 77 ENVIRONMENT "OCP_LONG=1")
    endif()
endforeach()
