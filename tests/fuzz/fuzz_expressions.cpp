// Fuzzer of filter and search expressions: parses the text, and matches events and rows with it. No input may cause a crash or a hang.

#include "core/experiment/timeline.h"
#include "core/query/filters/expression.h"
#include "tests/fuzz/fuzz_trace.h"

using namespace helio;

namespace {

Timeline makeTimeline()
{
    Timeline timeline;
    timeline.hosts.push_back({"id", "host"});
    timeline.traces.emplace_back().trace = std::make_shared<FuzzTrace>();
    timeline.range = {timestamp(0), timestamp(1000)};
    return timeline;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    static const Timeline timeline = makeTimeline();
    const auto expression = Expression::parse(fuzzText(data, size));
    if (!expression)
        return 0;
    (void)(*expression)->firstFieldName();
    const auto matcher = EventMatcher::make(*expression, timeline, 0);
    const auto& trace = static_cast<const FuzzTrace&>(*timeline.traces[0].trace);
    for (int i = 0; i < 10; ++i) {
        const FuzzEvent event(trace, i);
        if (matcher->canMatch(event.view.record->type))
            (void)matcher->matches(event.view);
    }
    Row row;
    row.label = "worker";
    RowFacts facts{&row, {"worker", "read"}, "host", "blocked", Duration(5000), timestamp(100)};
    facts.fields = "disk=sdb;bytes=4096";
    facts.threads = {"worker"};
    (void)matches(**expression, facts);
    return 0;
}
