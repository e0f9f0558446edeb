// SPDX-License-Identifier: Apache-2.0
//
// libocp from C++: lists the dialects, and tells what a file is: dialects [FILE]
// c++ -std=c++11 dialects.cpp $(pkg-config --cflags --libs libocp)
#include <fstream>
#include <iostream>
#include <iterator>
#include <memory>
#include <ocp.h>
#include <string>

namespace
{

struct Free {
    void operator()(OcpConverter *converter) const { ocp_free_converter(converter); }
    void operator()(OcpReport *report) const { ocp_free_report(report); }
    void operator()(OcpDocument **documents) const { ocp_free_documents(documents); }
    void operator()(char *text) const { ocp_free_text(text); }
};

bool
list(OcpConverter *converter, OcpReport *report)
{
    const OcpDialectEntry *const *entries = nullptr;
    std::size_t count = 0;
    if (!ocp_list_dialects(converter, report, &entries, &count))
        return false;
    for (std::size_t i = 0; i < count; i++) {
        std::cout << entries[i]->name;
        if (entries[i]->version != nullptr)
            std::cout << '@' << entries[i]->version;
        std::cout << '\n';
    }
    return true;
}

bool
tell(OcpConverter *converter, OcpReport *report, const std::string &path)
{
    std::ifstream file(path, std::ios::binary);
    const std::string bytes((std::istreambuf_iterator<char>(file)),
                            std::istreambuf_iterator<char>());
    OcpDocument **read = nullptr;
    if (!ocp_read_documents(converter, bytes.data(), bytes.size(), path.c_str(),
                            OCP_READ_AUTO, report, &read))
        return false;
    const std::unique_ptr<OcpDocument *, Free> documents(read);
    char *label = nullptr;
    if (!ocp_detect_dialect(converter, read[0], report, &label))
        return false;
    const std::unique_ptr<char, Free> dialect(label);
    const bool valid = ocp_check_document(converter, read[0], nullptr, report);
    std::cout << path << ": " << dialect.get() << (valid ? ", valid" : ", not valid")
              << '\n';
    return valid;
}

} // namespace

int
main(int argc, char **argv)
{
    const std::unique_ptr<OcpConverter, Free> converter(ocp_new_converter());
    const std::unique_ptr<OcpReport, Free> report(ocp_new_report());
    const bool done = argc > 1 ? tell(converter.get(), report.get(), argv[1])
                               : list(converter.get(), report.get());
    for (std::size_t i = 0; i < ocp_count_messages(report.get()); i++)
        std::cerr << ocp_message_text(report.get(), i, OCP_MESSAGE_TEXT) << '\n';
    return done ? 0 : 1;
}
