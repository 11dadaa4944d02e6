#pragma once

#include "tests/support/files.h"
#include "tests/support/made_trace_dat.h"
#include "tests/support/open_trace.h"
#include "tests/support/printed_fields.h"

#include <QTemporaryDir>

namespace helio {

inline constexpr int SwitchId = 314;
inline constexpr int PrintId = 5;

/// Returns the data of an event "switch" of the thread `tid`, with the fields prev_pid and next_comm.
inline QByteArray switchData(ByteOrder order, int tid, int next, const QByteArray& nextName)
{
    MadeBytes data(order);
    data.u16(SwitchId).u8(1).u8(2).u32(std::uint64_t(tid)).u32(std::uint64_t(next));
    return data.raw(nextName.leftJustified(16, '\0')).bytes;
}

/// Returns the data of an event "print", whose text takes the rest of the event.
inline QByteArray printData(ByteOrder order, int tid, QByteArray text)
{
    text.append('\0');
    text.append((4 - text.size() % 4) % 4, '\0');
    return MadeBytes(order).u16(PrintId).u8(0).u8(0).u32(std::uint64_t(tid)).raw(text).bytes;
}

/// Makes a file with the events "sched_switch" and "print", without instances.
inline MadeTraceDat madeFile(ByteOrder order = ByteOrder::Little)
{
    MadeTraceDat made;
    made.order = order;
    made.ftraceFormats = {MadeTraceDat::format("print", PrintId, "\tfield:char buf[];\toffset:8;\tsize:0;\tsigned:0;\n")};
    made.formats = {MadeTraceDat::format("sched_switch", SwitchId,
                                         "\tfield:pid_t next_pid;\toffset:8;\tsize:4;\tsigned:1;\n"
                                         "\tfield:char next_comm[16];\toffset:12;\tsize:16;\tsigned:0;\n")};
    made.options = made.option(5, QByteArray("Linux box 6.1.0-test x86_64\0", 28)) + made.option(9, QByteArray("3.1.6\0", 6));
    return made;
}

/// Returns the events and losses of a trace in time order, a line each.
inline QStringList contentOf(const Trace& trace)
{
    QStringList lines;
    MergedEvents events(trace);
    while (events.next()) {
        for (const Loss& loss : events.takeLosses())
            lines << printLoss(loss);
        lines << printEvent(events.event());
    }
    for (const Loss& loss : events.takeLosses())
        lines << printLoss(loss);
    return lines;
}

/// Returns kind and count of each diagnostic, a line each.
inline QStringList messagesOf(const Trace& trace)
{
    QStringList lines;
    for (const Diagnostic& diagnostic : trace.diagnostics())
        lines << QString::fromStdString(diagnostic.kind + " " + std::to_string(diagnostic.count));
    return lines;
}

/// Reads files that tests build byte by byte.
class MadeTraceDatReader {
protected:
    /// Opens a file with these bytes; nullptr, with a message in m_error, if it cannot be opened.
    std::shared_ptr<const Trace> open(const QByteArray& bytes)
    {
        test::writeFile(m_folder.filePath("trace.dat"), bytes);
        m_error.clear();
        return openTrace("trace.dat", m_folder.filePath("trace.dat").toStdString(), &m_error);
    }

    QTemporaryDir m_folder;
    std::string m_error;
};

} // namespace helio
