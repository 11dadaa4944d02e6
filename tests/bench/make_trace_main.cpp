// heliograph_make_trace OUT [--threads N] [--cpus M] [--events E] [--seed S] [--gap NS]: writes a kernel trace (CTF 1.8, like LTTng's) of a
// simulated computer of any size, for benchmarks and for sizes that no available computer can record.

#include "tests/bench/make_trace.h"

#include <charconv>
#include <cstring>
#include <fmt/format.h>

using namespace helio::bench;

namespace {

int refuse()
{
    fmt::print(stderr, "usage: heliograph_make_trace OUT [--threads N] [--cpus M] [--events E] [--seed S] [--gap NS]\n");
    return 2;
}

template <typename T> bool read(const char* text, std::uint64_t least, std::uint64_t most, T& value)
{
    std::uint64_t number = 0;
    const char* end = text + std::strlen(text);
    const auto parsed = std::from_chars(text, end, number);
    if (parsed.ec != std::errc() || parsed.ptr != end || number < least || number > most)
        return false;
    value = T(number);
    return true;
}

bool take(std::string_view option, const char* value, MadeTrace& made)
{
    if (option == "--threads")
        return read(value, 1, 10'000'000, made.threads);
    if (option == "--cpus")
        return read(value, 1, 65'536, made.cpus);
    if (option == "--events")
        return read(value, 1, 1'000'000'000'000, made.events);
    if (option == "--seed")
        return read(value, 0, UINT64_MAX, made.seed);
    return option == "--gap" && read(value, 4, 1'000'000'000, made.gap);
}

} // namespace

int main(int argc, char** argv)
{
    MadeTrace made;
    const char* folder = nullptr;
    for (int i = 1; i < argc; ++i) {
        if (std::strncmp(argv[i], "--", 2) != 0 && !folder)
            folder = argv[i];
        else if (i + 1 == argc || !take(argv[i], argv[i + 1], made))
            return refuse();
        else
            ++i;
    }
    if (!folder)
        return refuse();
    if (makeTrace(made, folder))
        return 0;
    fmt::print(stderr, "heliograph_make_trace: {}: the trace could not be written\n", folder);
    return 1;
}
