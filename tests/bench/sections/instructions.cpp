// Benchmark in instructions, which do not depend on the machine's load. Two trace lengths are counted; their difference excludes the
// start-up.

#include "tests/bench/sections/sections.h"
#include "tests/bench/suite/child_process.h"
#include "tests/bench/suite/valgrind.h"

namespace helio::bench {
namespace {

constexpr std::uint64_t Events =
    // Few events, because counting is slow: babeltrace2 executes thousands of instructions for each event, and valgrind needs fifty
    // cycles for each instruction.
    100'000;

} // namespace

void measureInstructions(Measuring& m)
{
    if (!hasValgrind()) {
        m.figures.note("instructions are not counted: valgrind is missing");
        return;
    }
    const std::uint64_t few = m.subject.eventsOf(Events); // Number of events in whole packets: may be many more than Events.
    const std::uint64_t many = m.subject.eventsOf(2 * few);
    const auto perEvent = [&](const auto& command) -> std::optional<double> {
        const auto least = countInstructions(command(m.subject.trace(Events).string()), m.subject.scratch());
        const auto most = countInstructions(command(m.subject.trace(2 * few).string()), m.subject.scratch());
        if (!least || !most || *most <= *least || many <= few)
            return {};
        return double(*most - *least) / double(many - few);
    };
    const std::string folder = (m.subject.scratch() / "counted").string();
    const auto ours = perEvent([&](const std::string& trace) {
        return std::vector<std::string>{HELIOGRAPH_PROGRAM, "index", trace, "--force", "--quiet", "--store-dir", folder, "--jobs", "1"};
    });
    const auto theirs = perEvent([](const std::string& trace) { return std::vector<std::string>{"babeltrace2", trace, "-o", "dummy"}; });
    if (ours)
        m.figures.add(
            {"ingest_instructions", "trace to ready store, one thread: instructions", "/event", *ours, {}, theirs, atLeastTimesTheirs(15)});
    else
        m.figures.note("instructions could not be counted");
}

} // namespace helio::bench
