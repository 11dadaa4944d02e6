#pragma once

#include "tests/support/indexed.h"
#include "tests/support/perf_builder.h"
#include "tests/support/perf_samples.h"

#include <QFile>
#include <QTemporaryDir>

#include <initializer_list>
#include <memory>
#include <string_view>
#include <vector>

namespace helio::test {

// CPU modes, values of a record's misc field.
constexpr std::uint16_t InKernel = 1;
constexpr std::uint16_t InUser = 2;

/// Opens a synthetic perf.data file, which is deleted after opening.
inline std::shared_ptr<const Trace> openedRecording(const QByteArray& bytes)
{
    QTemporaryDir folder;
    QFile file(folder.filePath("perf.data"));
    if (!file.open(QIODevice::WriteOnly))
        qFatal("cannot write");
    file.write(bytes);
    file.close();
    auto trace = openPerfData(folder.filePath("perf.data").toStdString());
    if (!trace)
        qFatal("cannot open");
    return trace;
}

inline std::shared_ptr<const Trace> openedRecording(const MadePerfData& made) { return openedRecording(made.file()); }

/// Runs built-in analyses on a trace and returns their stores, in the order of `ids`.
inline std::vector<std::shared_ptr<const Store>> storesOf(const Trace& trace, std::initializer_list<std::string_view> ids)
{
    std::vector<const AnalysisKind*> kinds;
    for (const std::string_view id : ids)
        kinds.push_back(&analysisOf(id));
    auto result = indexed(trace, kinds);
    if (!result)
        qFatal("%s", result.error().what.c_str());
    return std::move(result->stores);
}

/// A recording that uses TID 20 twice: process 10, "shell", forks process 20, which ends; later there is a new process 20, "second".
/// Samples: three of process 10, one of each process 20, and one of the first process 20 after its exit record.
inline MadePerfData makeReusedTidRecording()
{
    constexpr std::uint32_t Comm = 3, Exit = 4, Fork = 7;
    MadePerfData made;
    made.addAttribute({});
    const auto life = [&](std::uint32_t type, std::uint32_t pid, std::uint32_t parent, std::uint64_t at) {
        made.add(type, 0, made.trailer(made.make().u32(pid).u32(parent).u32(pid).u32(parent).u64(at), parent, parent, at, 0));
    };
    made.addSample(0x1000, 10, 10, 1000, 0, 7, InUser);
    made.add(Comm, 0, made.trailer(made.make().u32(10).u32(10).text("shell"), 10, 10, 1100, 0));
    life(Fork, 20, 10, 2000);
    made.addSample(0x2000, 20, 20, 3000, 0, 7, InUser);
    life(Exit, 20, 10, 4000);
    // This sample is taken in the kernel after the exit record, while the thread is still exiting.
    made.addSample(0x3000, 20, 20, 4100, 0, 7, InKernel);
    life(Fork, 20, 10, 6000); // A new process gets the TID 20 of the process that exited.
    made.add(Comm, 0, made.trailer(made.make().u32(20).u32(20).text("second"), 20, 20, 6100, 0));
    made.addSample(0x4000, 20, 20, 7000, 0, 7, InUser);
    made.addSample(0x1000, 10, 10, 8000, 0, 7, InUser);
    made.addSample(0x1000, 10, 10, 9000, 0, 7, InUser);
    return made;
}

} // namespace helio::test
