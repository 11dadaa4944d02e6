#pragma once

#include "tests/support/made_stream.h"

#include <QByteArray>
#include <QString>

#include <utility>
#include <vector>

namespace helio {

/// An event of a synthetic trace of a guest or its host.
struct MadeExchangeEvent {
    enum Kind : quint32 { Text, Hypercall, ToHostInGuest, ToHostInHost, ToGuestInHost, ToGuestInGuest, Switch };
    qint64 time = 0; ///< Time on the clock of the event's host, in ns since the epoch.
    Kind kind = Text;
    QByteArray text{}; ///< Text that the event contains; only used by events of the kind Text.
    quint64 number = 0; ///< Sequence number of the exchange between guest and host; for Switch: TID of the next thread.
    quint64 machine = 0; ///< Number of the virtual machine; for Switch: TID of the previous thread.
    quint64 call = 1000; ///< Number of the hypercall, for Hypercall only.
};

/// Writes the events as a kernel trace of `host` (CTF 1.8, little endian). Returns false if it cannot be written. Requires: events sorted
/// by time.
inline bool writeExchangeTrace(const QString& folder, const QString& host, int number, const std::vector<MadeExchangeEvent>& events)
{
    const QByteArray eventTypes =
        R"(event { name = "lttng_logger"; id = 0; stream_id = 0; fields := struct { u32 _length; letter msg[_length]; }; };
event { name = "kvm_x86_hypercall"; id = 1; stream_id = 0; fields := struct { u64 nr; u64 a0; u64 a1; }; };
event { name = "vmsync_gh_guest"; id = 2; stream_id = 0; fields := struct { u64 cnt; u64 vm_uid; }; };
event { name = "vmsync_gh_host"; id = 3; stream_id = 0; fields := struct { u64 cnt; u64 vm_uid; }; };
event { name = "vmsync_hg_host"; id = 4; stream_id = 0; fields := struct { u64 cnt; u64 vm_uid; }; };
event { name = "vmsync_hg_guest"; id = 5; stream_id = 0; fields := struct { u64 cnt; u64 vm_uid; }; };
event { name = "sched_switch"; id = 6; stream_id = 0; fields := struct { letter prev_comm[16]; s32 prev_tid; s32 prev_prio; s32 prev_state;
  letter next_comm[16]; s32 next_tid; s32 next_prio; }; };
)";
    test::MadeStream stream(events.front().time, events.back().time);
    for (const MadeExchangeEvent& it : events) {
        stream.event(it.kind, it.time);
        switch (it.kind) {
        case MadeExchangeEvent::Text:
            stream.put(quint32(it.text.size()));
            stream.append(it.text);
            break;
        case MadeExchangeEvent::Hypercall:
            stream.put(it.call);
            stream.put(it.number);
            stream.put(it.machine);
            break;
        case MadeExchangeEvent::Switch:
            for (const quint64 tid : {it.machine, it.number}) {
                stream.append(("t" + QByteArray::number(tid)).leftJustified(16, '\0'));
                stream.put(qint32(tid));
                stream.put(qint32(20));
                if (tid == it.machine)
                    stream.put(qint32(0));
            }
            break;
        default: stream.put(it.number); stream.put(it.machine);
        }
    }
    return test::writeKernelTrace(folder, host, number, eventTypes, std::move(stream));
}

} // namespace helio
