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

/// Identifies a thread of a trace; unique until the kernel reuses the TID.
struct ThreadId {
    std::uint32_t pidNamespace = 0; ///< Inode number of the PID namespace; 0 for the host's namespace.
    std::int64_t number = -1; ///< TID in the PID namespace. If the events of a stream have no TID: -1 - (stream number).

    bool operator==(const ThreadId&) const = default;
};

/// Identifies a process of a trace.
struct ProcessId {
    std::uint32_t pidNamespace = 0; ///< Inode number of the PID namespace; 0 for the host's namespace.
    std::int32_t pid = -1;

    auto operator<=>(const ProcessId&) const = default;
};

/// Returns the suffix of the keys of a namespace's thread and process tracks: "@NS", or an empty text for the host's namespace.
std::string namespaceSuffix(std::uint32_t pidNamespace);
/// Returns the PID namespace in the key of a thread or process track, or of a track below it; 0 for the host's namespace.
std::uint32_t pidNamespaceOf(std::string_view key);

/// Reads the thread of an event from its contexts: "vtid", "vpid", "procname" and "pid_ns" of LTTng-UST, "tid" and "pid" of other tracers.
/// Cost: a few ns per field.
class ThreadFields {
public:
    ThreadFields() = default;
    explicit ThreadFields(const EventType& type);

    bool hasThread() const { return m_tid.isValid(); }
    bool hasProcess() const { return m_pid.isValid(); }

    // tid() and pid() return -1 if the id is not recorded or not valid.
    std::int32_t tid(const EventView& event) const { return idIn(m_tid, event); }
    std::int32_t pid(const EventView& event) const { return idIn(m_pid, event); }
    std::string_view name(const EventView& event) const { return m_name.isValid() ? m_name.text(event) : std::string_view(); }
    ThreadId idOf(const EventView& event) const;
    /// Returns true if the event has TID 0 in the host's PID namespace, which the idle threads of all CPUs have. In other PID namespaces,
    /// TID 0 stands for threads outside of the namespace.
    bool isOfIdleThread(const EventView& event) const { return m_hostTid.integerOr(event, -1) == 0; }
    /// Returns the PID namespace of tid and pid (its inode number); 0 if it is the host's namespace or unknown.
    std::uint32_t pidNamespace(const EventView& event) const;

    /// Position of a field in the stream context, in bits; the same for every event of the type.
    struct BitRange {
        std::uint64_t begin = 0;
        std::uint64_t end = 0; ///< End of the field in bits; equal to `begin` if the event type has no such field.

        bool operator==(const BitRange&) const = default;
    };
    /// Returns the positions of tid, pid, name and namespace. Empty if one of these fields is outside of the stream context or its position
    /// varies.
    std::span<const BitRange> places() const { return m_arePlaced ? std::span<const BitRange>(m_places) : std::span<const BitRange>(); }

private:
    static std::int32_t idIn(const FieldRef& field, const EventView& event);
    FieldRef take(const EventType& type, std::initializer_list<std::string_view> names);

    /// Positions of the fields found so far. Declared before the FieldRef members, because the initializers of those members append to
    /// m_places.
    std::vector<BitRange> m_places;
    bool m_arePlaced = true; ///< True as long as all fields found have a constant position.
    FieldRef m_tid;
    FieldRef m_pid;
    FieldRef m_name;
    FieldRef m_pidNamespace;
    FieldRef m_hostTid;
};

/// Returns the process to which all events of the trace belong, from the trace's environment (LTTng buffers per process); -1 if there is no
/// single process.
std::int32_t processOf(const TraceInfo& info);

} // namespace helio

template <> struct std::hash<helio::ThreadId> {
    std::size_t operator()(const helio::ThreadId& id) const
    {
        return std::hash<std::uint64_t>()(static_cast<std::uint64_t>(id.number) ^ std::uint64_t(id.pidNamespace) << 32);
    }
};
