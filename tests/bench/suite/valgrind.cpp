#include "tests/bench/suite/valgrind.h"

#include "tests/bench/suite/child_process.h"

#include <cstdlib>
#include <fstream>

namespace helio::bench {

bool hasValgrind() { return isRunnable({"valgrind", "--tool=none", "true"}); }

std::optional<std::uint64_t> countInstructions(const std::vector<std::string>& command, const std::filesystem::path& scratch)
{
    const auto out = scratch / "instructions.out";
    // Use cachegrind: it counts like callgrind in half the time. It does not count by function, which is not needed here.
    std::vector<std::string> all{"valgrind", "--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=" + out.string()};
    all.insert(all.end(), command.begin(), command.end());
    if (!runChild(all).isDone)
        return {};
    std::ifstream file(out);
    for (std::string line; std::getline(file, line);)
        if (line.starts_with("summary:"))
            return std::strtoull(line.c_str() + line.find(' '), nullptr, 10);
    return {};
}

} // namespace helio::bench
