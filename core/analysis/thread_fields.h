#pragma once

#include "core/trace/fields/field_ref.h"

#include <cstdint>
#include <string_view>

namespace helio {

struct TraceInfo;

/// Which thread an event is of, as its contexts say: the "vtid", "vpid", "procname" and "pid_ns" of LTTng-UST, the "tid" and "pid" of
/// others. Cost of reading: some ns a field.
class ThreadFields {
public:
    ThreadFields() = default;
    explicit ThreadFields(const EventType& type);

    bool hasThread() const { return m_tid.isValid(); }
    bool hasProcess() const { return m_pid.isValid(); }

    // -1: not recorded, or a number that no thread has.
    std::int32_t tid(const EventView& event) const { return idIn(m_tid, event); }
    std::int32_t pid(const EventView& event) const { return idIn(m_pid, event); }
    std::string_view name(const EventView& event) const { return m_name.isValid() ? m_name.text(event) : std::string_view(); }
    /// The PID namespace that tid and pid are of, where that is not the host's (its inode number); 0: it is, or nobody says otherwise.
    std::uint32_t pidNamespace(const EventView& event) const;

private:
    static std::int32_t idIn(const FieldRef& field, const EventView& event);

    FieldRef m_tid;
    FieldRef m_pid;
    FieldRef m_name;
    FieldRef m_pidNamespace;
};

/// The process that all of the trace is of, where its environment says so (buffers per process). -1: it does not.
std::int32_t processOf(const TraceInfo& info);

} // namespace helio
