#pragma once

// HeapScript: a user-space trace with calls of malloc() and free() that a test writes, and the results of the heap analysis as text.

#include "core/event_model/segment_kinds.h"
#include "tests/core/analyses/calls/call_script.h"

#include <algorithm>
#include <vector>

namespace helio::test {

class HeapScript : public CallScript {
public:
    HeapScript& malloc(std::int64_t at, int tid, std::int64_t size, std::int64_t ptr)
    {
        return heap(at, tid, "malloc", {{"size", size}, {"ptr", ptr}});
    }
    HeapScript& calloc(std::int64_t at, int tid, std::int64_t count, std::int64_t size, std::int64_t ptr)
    {
        return heap(at, tid, "calloc", {{"nmemb", count}, {"size", size}, {"ptr", ptr}});
    }
    HeapScript& realloc(std::int64_t at, int tid, std::int64_t old, std::int64_t size, std::int64_t ptr)
    {
        return heap(at, tid, "realloc", {{"in_ptr", old}, {"size", size}, {"ptr", ptr}});
    }
    HeapScript& free(std::int64_t at, int tid, std::int64_t ptr) { return heap(at, tid, "free", {{"ptr", ptr}}); }
    HeapScript& memalign(std::int64_t at, int tid, std::int64_t size, std::int64_t ptr)
    {
        return heap(at, tid, "memalign", {{"alignment", 64}, {"size", size}, {"ptr", ptr}});
    }
    HeapScript& posixMemalign(std::int64_t at, int tid, std::int64_t size, std::int64_t ptr, int result)
    {
        return heap(at, tid, "posix_memalign", {{"out_ptr", ptr}, {"alignment", 64}, {"size", size}, {"result", result}});
    }
    HeapScript& enter(std::int64_t at, int tid, std::int64_t address)
    {
        CallScript::enter(at, tid, address);
        return *this;
    }
    HeapScript& leave(std::int64_t at, int tid)
    {
        CallScript::leave(at, tid);
        return *this;
    }
    /// Sets the call site in the context of all later events. Either all events of a type have this context or none.
    HeapScript& from(std::int64_t ip)
    {
        m_ip = ip;
        return *this;
    }

    void run(std::int64_t end = -1)
    {
        KernelScript::run(end, Gaps::ReportedAtBegin, analysisOf("mappings"));
        KernelScript::run(end, Gaps::ReportedAtBegin, analysisOf("heap"), {sharedStore()}, ends());
    }

    /// Segments of a kind as text, sorted by beginning. Example: "100+200^7 10-20 = 5" for 5 bytes, in use from 10 to 20 ns, allocated in
    /// function 200, called from 100 at call site 7.
    std::string segments(std::string_view kind) const
    {
        std::string text;
        for (const HostSegment& it : segmentsOf(kind))
            text += (text.empty() ? "" : ", ") + path(it.stack()) + (it.stack() == NoStack ? "" : " ") + times(it) + " = "
                + std::to_string(it.value);
        return text;
    }

    std::vector<HostSegment> segmentsOf(std::string_view kind) const
    {
        std::vector<HostSegment> all;
        const auto kinds = store().segments().kinds();
        const auto found = std::ranges::find(kinds, kind, &SegmentKind::id);
        if (found != kinds.end())
            store().segments().visit(SegmentKindId(static_cast<std::uint8_t>(found - kinds.begin())),
                                     {HostTimestamp::min(), HostTimestamp::max()},
                                     [&](std::span<const HostSegment> some) { all.insert(all.end(), some.begin(), some.end()); });
        return all;
    }

    /// Points of a counter as text: "10: 5, 20: 0".
    std::string counter(std::string_view id) const
    {
        std::string text;
        const auto series = store().counters().series();
        const auto found = std::ranges::find(series, id, &CounterSeries::id);
        if (found != series.end())
            store().counters().visit(CounterSeriesId(static_cast<std::uint32_t>(found - series.begin())),
                                     {HostTimestamp::min(), HostTimestamp::max()}, [&](std::span<const CounterPoint> some) {
                                         for (const CounterPoint& it : some)
                                             text += (text.empty() ? "" : ", ") + std::to_string(nanoseconds(it.time)) + ": "
                                                 + std::to_string(it.value.integer());
                                     });
        return text;
    }

private:
    HeapScript& heap(std::int64_t at, int tid, const char* call, Fields fields)
    {
        if (m_ip != 0)
            fields.insert(fields.begin(), {"$ip", m_ip});
        of(at, tid, std::string("lttng_ust_libc:") + call, std::move(fields));
        return *this;
    }

    static std::string times(const HostSegment& it)
    {
        return std::to_string(nanoseconds(it.begin)) + (it.end == it.begin ? "" : "-" + std::to_string(nanoseconds(it.end)));
    }

    std::string path(StackId stack) const
    {
        if (stack == NoStack)
            return {};
        const StackNode node = store().stacks().nodes()[static_cast<std::size_t>(stack)];
        const std::string callers = path(node.parent());
        return callers + (node.frame().isReturnAddress ? "^" : callers.empty() ? "" : "+") + function(stack);
    }

    std::int64_t m_ip = 0;
};

} // namespace helio::test
