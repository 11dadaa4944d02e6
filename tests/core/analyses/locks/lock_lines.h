#pragma once

// Formats segments and rows of the lock analyses as text.

#include "tests/core/analyses/kernel/kernel_script.h"

#include <QString>
#include <QStringList>

namespace helio::test {

inline QString textOf(const KernelScript& script, StringId id) { return QString::fromStdString(std::string(script.store().text(id))); }

/// Segments as text, one a line: "lock 0x10 of process 100 10-20 on lock:100/0x10/tid:7 comm=t7".
inline QString segmentLines(const KernelScript& script)
{
    const SegmentSet& segments = script.store().segments();
    QStringList all;
    for (std::uint32_t kind = 0; kind < segments.kinds().size(); ++kind)
        segments.visit(SegmentKindId(kind), {HostTimestamp::min(), HostTimestamp::max()}, [&](std::span<const HostSegment> some) {
            for (const HostSegment& it : some)
                all << QString("%1 %2 %3-%4 on %5 %6")
                           .arg(segments.kinds()[kind].id.c_str(), textOf(script, it.name))
                           .arg(nanoseconds(it.begin))
                           .arg(nanoseconds(it.end))
                           .arg(script.keyOf(it.track).c_str(), textOf(script, StringId(std::uint32_t(it.value))));
        });
    return all.join('\n');
}

/// Rows as text, sorted by key, one a line: "lock:100/0x10/tid:7: waits 10-11, holds 11-30".
inline QString rowLines(const KernelScript& script)
{
    QStringList all;
    for (const Track& it : script.store().tracks())
        if (const std::string states = script.states(it.key); !states.empty())
            all << QString("%1: %2").arg(it.key.c_str(), states.c_str());
    all.sort();
    return all.join('\n');
}

} // namespace helio::test
