#pragma once

#include <QByteArray>
#include <QDir>
#include <QFile>
#include <QString>

#include <cstring>
#include <vector>

namespace helio {

/// An event of a made trace of a guest or its host.
struct MadeExchangeEvent {
    enum Kind : quint32 { Text, Hypercall, ToHostInGuest, ToHostInHost, ToGuestInHost, ToGuestInGuest, Switch };
    qint64 time = 0; ///< On the clock of its host, ns since the epoch.
    Kind kind = Text;
    QByteArray text{}; ///< Of Text.
    quint64 number = 0; ///< Of the exchange; of Switch: who comes.
    quint64 machine = 0; ///< Of the exchange; of Switch: who leaves.
    quint64 call = 1000; ///< Of Hypercall.
};

/// Writes the kernel's trace of a host, CTF 1.8, little endian. False: it could not be written. Requires: events in the order of time.
inline bool writeExchangeTrace(const QString& folder, const QString& host, int number, const std::vector<MadeExchangeEvent>& events)
{
    const QString uuid = QStringLiteral("beefed00-0000-4000-8000-%1").arg(number, 12, 10, QLatin1Char('0'));
    const QByteArray metadata = QStringLiteral(R"(/* CTF 1.8 */
typealias integer { size = 8; align = 8; signed = false; encoding = UTF8; } := letter;
typealias integer { size = 32; align = 8; signed = false; } := u32;
typealias integer { size = 32; align = 8; signed = true; } := s32;
typealias integer { size = 64; align = 8; signed = false; } := u64;
trace { major = 1; minor = 8; uuid = "%1"; byte_order = le; packet.header := struct { u32 magic; u32 stream_id; }; };
env { hostname = "%2"; domain = "kernel"; };
clock { name = "mono"; uuid = "%1"; freq = 1000000000; offset = 0; };
typealias integer { size = 64; align = 8; signed = false; map = clock.mono.value; } := time;
stream { id = 0; event.header := struct { u32 id; time timestamp; };
  packet.context := struct { time timestamp_begin; time timestamp_end; u64 content_size; u64 packet_size; u32 cpu_id; }; };
event { name = "lttng_logger"; id = 0; stream_id = 0; fields := struct { u32 _length; letter msg[_length]; }; };
event { name = "kvm_x86_hypercall"; id = 1; stream_id = 0; fields := struct { u64 nr; u64 a0; u64 a1; }; };
event { name = "vmsync_gh_guest"; id = 2; stream_id = 0; fields := struct { u64 cnt; u64 vm_uid; }; };
event { name = "vmsync_gh_host"; id = 3; stream_id = 0; fields := struct { u64 cnt; u64 vm_uid; }; };
event { name = "vmsync_hg_host"; id = 4; stream_id = 0; fields := struct { u64 cnt; u64 vm_uid; }; };
event { name = "vmsync_hg_guest"; id = 5; stream_id = 0; fields := struct { u64 cnt; u64 vm_uid; }; };
event { name = "sched_switch"; id = 6; stream_id = 0; fields := struct { letter prev_comm[16]; s32 prev_tid; s32 prev_prio; s32 prev_state;
  letter next_comm[16]; s32 next_tid; s32 next_prio; }; };
)")
                                    .arg(uuid, host)
                                    .toUtf8();
    QByteArray stream;
    const auto put = [&](auto value) { stream.append(reinterpret_cast<const char*>(&value), sizeof value); };
    put(quint32(0xC1FC1FC1));
    put(quint32(0));
    put(quint64(events.front().time));
    put(quint64(events.back().time));
    const qsizetype sizes = stream.size();
    put(quint64(0));
    put(quint64(0));
    put(quint32(0));
    for (const MadeExchangeEvent& it : events) {
        put(quint32(it.kind));
        put(quint64(it.time));
        switch (it.kind) {
        case MadeExchangeEvent::Text:
            put(quint32(it.text.size()));
            stream.append(it.text);
            break;
        case MadeExchangeEvent::Hypercall:
            put(it.call);
            put(it.number);
            put(it.machine);
            break;
        case MadeExchangeEvent::Switch:
            for (const quint64 tid : {it.machine, it.number}) {
                stream.append(("t" + QByteArray::number(tid)).leftJustified(16, '\0'));
                put(qint32(tid));
                put(qint32(20));
                if (tid == it.machine)
                    put(qint32(0));
            }
            break;
        default: put(it.number); put(it.machine);
        }
    }
    const quint64 bits = quint64(stream.size()) * 8;
    for (const qsizetype at : {sizes, sizes + 8})
        std::memcpy(stream.data() + at, &bits, sizeof bits);
    const QString kernel = folder + '/' + host + "/kernel";
    QFile meta(kernel + "/metadata"), file(kernel + "/chan_0");
    return QDir().mkpath(kernel) && meta.open(QIODevice::WriteOnly) && meta.write(metadata) == metadata.size()
        && file.open(QIODevice::WriteOnly) && file.write(stream) == stream.size();
}

} // namespace helio
