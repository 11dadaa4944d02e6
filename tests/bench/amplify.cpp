// heliograph_amplify TRACE OUT --events N | --copies N: repeats a real trace to make a long one (see amplifier/trace_amplifier.h).

#include "tests/bench/amplifier/trace_amplifier.h"

#include <charconv>
#include <cstdio>
#include <cstring>
#include <string_view>

using namespace helio::bench;

namespace {

bool readNumber(const char* text, std::uint64_t& number)
{
    const char* end = text + std::strlen(text);
    const auto read = std::from_chars(text, end, number);
    return read.ec == std::errc() && read.ptr == end && number > 0;
}

int usage()
{
    std::fputs("usage: heliograph_amplify TRACE OUT --events N | --copies N\n", stderr);
    return 2;
}

} // namespace

int main(int argc, char** argv)
{
    AmplifyOptions options;
    if (argc != 5)
        return usage();
    const std::string_view option = argv[3];
    if (option != "--events" && option != "--copies")
        return usage();
    if (!readNumber(argv[4], option == "--events" ? options.events : options.copies))
        return usage();
    const auto report = amplify(argv[1], argv[2], options);
    if (!report) {
        std::fprintf(stderr, "heliograph_amplify: %s\n", report.error().what.c_str());
        return 1;
    }
    std::printf("%llu events (%llu times %llu), %llu bytes\n", static_cast<unsigned long long>(report->events),
                static_cast<unsigned long long>(report->copies), static_cast<unsigned long long>(report->sourceEvents),
                static_cast<unsigned long long>(report->bytes));
    return 0;
}
