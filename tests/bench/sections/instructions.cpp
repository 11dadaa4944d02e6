// Counts the instructions of a program instead of its time, because the count does not depend on the machine's load. Each program reads two
// traces of different length; the difference of the counts excludes the start-up.

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
    // Exact number of events of the trace with about `Events` events. The trace has whole packets, so the number may be much higher than
    // Events.
    const std::uint64_t few = m.subject.eventsOf(Events);
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
