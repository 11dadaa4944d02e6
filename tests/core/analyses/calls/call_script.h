#pragma once

// CallScript: a user-space trace that a test writes call by call, and the results of the call analyses as text.

#include "tests/core/analyses/kernel/kernel_script.h"

namespace helio::test {

class CallScript : public KernelScript {
public:
    // Adds events of LTTng's cyg-profile-fast. Its exit event does not name the function.
    CallScript& enter(std::int64_t at, int tid, std::int64_t address) { return of(at, tid, "fast:func_entry", {{"addr", address}}); }
    CallScript& leave(std::int64_t at, int tid) { return of(at, tid, "fast:func_exit", {}); }
    // Adds events of LTTng's cyg-profile.
    CallScript& begin(std::int64_t at, int tid, std::int64_t address) { return of(at, tid, "full:func_entry", {{"addr", address}}); }
    CallScript& end(std::int64_t at, int tid, std::int64_t address) { return of(at, tid, "full:func_exit", {{"addr", address}}); }
    // Adds events of LTTng's Python instrumentation.
    CallScript& call(std::int64_t at, int tid, const char* name) { return python(at, tid, "python:call", name); }
    CallScript& ret(std::int64_t at, int tid, const char* name) { return python(at, tid, "python:return", name); }

    /// Sets the process of the threads in all later events.
    CallScript& process(int pid)
    {
        m_pid = pid;
        return *this;
    }
    /// Adds the end of a thread, as recorded by another trace of the host. Requires: the caller adds the ends in the order of TIDs, then of
    /// times.
    CallScript& ended(int tid, std::int64_t at)
    {
        m_ends.push_back({tid, hostTime(at)});
        return *this;
    }
    CallScript& mapped(std::int64_t at, const char* event_, std::int64_t base, std::int64_t size, const char* path)
    {
        return of(at, m_pid, event_, {{"baddr", base}, {"memsz", size}, {"path", path}});
    }
    CallScript& unmapped(std::int64_t at, const char* event_, std::int64_t base) { return of(at, m_pid, event_, {{"baddr", base}}); }
    CallScript& of(std::int64_t at, int tid, const std::string& name, Fields fields)
    {
        fields.insert(fields.begin(), {{"$vpid", m_pid}, {"$vtid", tid}, {"$procname", "prog"}});
        event(at, 0, name, fields);
        return *this;
    }

    /// Runs the analysis of memory mappings, then the analysis of calls. `end`: end of the trace.
    void run(std::int64_t end = -1)
    {
        KernelScript::run(end, Gaps::ReportedAtBegin, analysisOf("mappings"));
        m_ofMappings = store().summary().anomalies;
        KernelScript::run(end, Gaps::ReportedAtBegin, analysisOf("calls"), {sharedStore()}, m_ends);
    }

    /// Returns all calls as text, sorted by beginning. "1+2 10-20 self 5" is a call of function 2 by function 1 from 10 to 20, with a self
    /// time of 5.
    std::string segments() const
    {
        std::string text;
        const auto take = [&](std::span<const HostSegment> some) {
            for (const HostSegment& it : some)
                text += (text.empty() ? "" : ", ") + path(it.stack()) + " " + std::to_string(nanoseconds(it.begin)) + "-"
                    + std::to_string(nanoseconds(it.end)) + " self " + std::to_string(it.value);
        };
        store().segments().visit(SegmentKindId{}, {HostTimestamp::min(), HostTimestamp::max()}, take);
        return text;
    }

    /// Number of reports of the diagnostic `kind` by the call analysis; 0 if it was not reported.
    std::uint64_t reported(std::string_view kind) const { return countOf(store().summary().anomalies, kind); }
    /// Number of reports of the diagnostic `kind` by the mapping analysis; 0 if it was not reported.
    std::uint64_t reportedOfMappings(std::string_view kind) const { return countOf(m_ofMappings, kind); }

protected:
    const std::vector<ThreadEnd>& ends() const { return m_ends; }

private:
    static std::uint64_t countOf(const std::vector<Diagnostic>& all, std::string_view kind)
    {
        const auto it = std::ranges::find(all, kind, &Diagnostic::kind);
        return it != all.end() ? it->count : 0;
    }

    CallScript& python(std::int64_t at, int tid, const char* event_, const char* name)
    {
        return of(at, tid, event_, {{"co_name", name}, {"co_filename", "prog.py"}, {"lineno", 7}});
    }

    std::string path(StackId stack) const
    {
        const StackId caller = store().stacks().nodes()[static_cast<std::size_t>(stack)].parent();
        return (caller != NoStack ? path(caller) + "+" : std::string()) + function(stack);
    }

    int m_pid = 1;
    std::vector<ThreadEnd> m_ends;
    std::vector<Diagnostic> m_ofMappings;
};

} // namespace helio::test
