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

/// Identifies a thread of a trace, as long as no other process gets its TID.
struct ThreadId {
    std::uint32_t pidNamespace = 0; ///< Inode number of the PID namespace; 0 for the host's.
    std::int64_t number = -1; ///< TID in that namespace. If the events of a stream name no thread: -1 - (stream number).

    bool operator==(const ThreadId&) const = default;
};

/// Identifies a process of a trace.
struct ProcessId {
    std::uint32_t pidNamespace = 0; ///< Inode number of the PID namespace; 0 for the host's.
    std::int32_t pid = -1;

    auto operator<=>(const ProcessId&) const = default;
};

/// Returns what follows the number in the keys of tracks of threads and processes: "@NS", or an empty text for the host's namespace.
std::string namespaceSuffix(std::uint32_t pidNamespace);
/// Returns the PID namespace in the key of such a track, or of a track below it; 0 for the host's.
std::uint32_t pidNamespaceOf(std::string_view key);

/// Reads the thread of an event from its contexts: "vtid", "vpid", "procname" and "pid_ns" of LTTng-UST, "tid" and "pid" of other tracers.
/// Cost: a few ns for each field.
class ThreadFields {
public:
    ThreadFields() = default;
    explicit ThreadFields(const EventType& type);

    bool hasThread() const { return m_tid.isValid(); }
    bool hasProcess() const { return m_pid.isValid(); }

    // Return -1 if not recorded, or if the recorded number is no valid id.
    std::int32_t tid(const EventView& event) const { return idIn(m_tid, event); }
    std::int32_t pid(const EventView& event) const { return idIn(m_pid, event); }
    std::string_view name(const EventView& event) const { return m_name.isValid() ? m_name.text(event) : std::string_view(); }
    ThreadId idOf(const EventView& event) const;
    /// Returns true if the event has TID 0 in the host's numbering, which the idle threads of all CPUs have. In a PID namespace, 0 stands
    /// for threads outside of it.
    bool isOfIdleThread(const EventView& event) const { return m_hostTid.integerOr(event, -1) == 0; }
    /// Returns the PID namespace of tid and pid (its inode number); 0 if it is the host's or unknown.
    std::uint32_t pidNamespace(const EventView& event) const;

    /// Position of a field in the stream context of every event of the type, in bits.
    struct Place {
        std::uint64_t begin = 0;
        std::uint64_t end = 0; ///< Equal to `begin` if there is no such field.

        bool operator==(const Place&) const = default;
    };
    /// Returns the positions of tid, pid, name and namespace. Empty if one of these fields lies outside of the stream context or has no
    /// constant position.
    std::span<const Place> places() const { return m_arePlaced ? std::span<const Place>(m_places) : std::span<const Place>(); }

private:
    static std::int32_t idIn(const FieldRef& field, const EventView& event);
    FieldRef take(const EventType& type, std::initializer_list<std::string_view> names);

    std::vector<Place> m_places; ///< Declared before the fields, because their initialization appends to it.
    bool m_arePlaced = true; ///< True while all fields found have a constant position.
    FieldRef m_tid;
    FieldRef m_pid;
    FieldRef m_name;
    FieldRef m_pidNamespace;
    FieldRef m_hostTid;
};

/// Returns the process that all events of the trace belong to, from the trace's environment (buffers per process); -1 if there is none.
std::int32_t processOf(const TraceInfo& info);

} // namespace helio

template <> struct std::hash<helio::ThreadId> {
    std::size_t operator()(const helio::ThreadId& id) const
    {
        return std::hash<std::uint64_t>()(static_cast<std::uint64_t>(id.number) ^ std::uint64_t(id.pidNamespace) << 32);
    }
};
