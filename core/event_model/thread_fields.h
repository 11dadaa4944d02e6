#pragma once

#include "core/trace/fields/field_ref.h"

#include <compare>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace helio {

struct TraceInfo;

/// A thread of a trace: as long as no other process has its TID.
struct ThreadId {
    std::uint32_t pidNamespace = 0; ///< 0: the host's.
    std::int64_t number = -1; ///< Its TID; of a stream whose events name no thread -1 less the stream's number.

    bool operator==(const ThreadId&) const = default;
};

/// A process of a trace.
struct ProcessId {
    std::uint32_t pidNamespace = 0; ///< 0: the host's.
    std::int32_t pid = -1;

    auto operator<=>(const ProcessId&) const = default;
};

/// Behind the number in the key of a track that is of a thread or process: "@NS" where it is of that namespace, nothing where it is the
/// host's.
std::string namespaceSuffix(std::uint32_t pidNamespace);
/// The namespace that such a key, or one below it, names; 0: the host's.
std::uint32_t pidNamespaceOf(std::string_view key);

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
    ThreadId idOf(const EventView& event) const;
    /// It says TID 0 as the host numbers threads, which the idle threads of all CPUs have. In a namespace those have it that are not in it.
    bool isOfIdleThread(const EventView& event) const { return m_hostTid.integerOr(event, -1) == 0; }
    /// The PID namespace that tid and pid are of, where that is not the host's (its inode number); 0: it is, or nobody says otherwise.
    std::uint32_t pidNamespace(const EventView& event) const;

    /// Where a field lies in the stream context of each event of the type, in bits.
    struct Place {
        std::uint64_t begin = 0;
        std::uint64_t end = 0; ///< The begin where there is no such field.

        bool operator==(const Place&) const = default;
    };
    /// Of tid, pid, name and namespace. Nothing: one of them lies elsewhere, or not at the same place in each event.
    std::span<const Place> places() const { return m_arePlaced ? std::span<const Place>(m_places) : std::span<const Place>(); }

private:
    static std::int32_t idIn(const FieldRef& field, const EventView& event);
    FieldRef take(const EventType& type, std::initializer_list<std::string_view> names);

    std::vector<Place> m_places; ///< Before the fields: it grows as they are found.
    bool m_arePlaced = true; ///< All fields so far are.
    FieldRef m_tid;
    FieldRef m_pid;
    FieldRef m_name;
    FieldRef m_pidNamespace;
    FieldRef m_hostTid;
};

/// The process that all of the trace is of, where its environment says so (buffers per process). -1: it does not.
std::int32_t processOf(const TraceInfo& info);

} // namespace helio

template <> struct std::hash<helio::ThreadId> {
    std::size_t operator()(const helio::ThreadId& id) const
    {
        return std::hash<std::uint64_t>()(static_cast<std::uint64_t>(id.number) ^ std::uint64_t(id.pidNamespace) << 32);
    }
};
