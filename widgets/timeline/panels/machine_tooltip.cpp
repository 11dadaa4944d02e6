#include "widgets/timeline/panels/machine_tooltip.h"

#include "core/query/rows/timeline_access.h"
#include "widgets/time/qt_text.h"

#include <QCoreApplication>

namespace helio {

namespace {

QString said(const char* text) { return QCoreApplication::translate("MachineWords", text); }

QString knownText(const RowNote& note) { return note.isByHand() ? said("set by hand") : said("known by %1").arg(text(note.known)); }

} // namespace

QString machineTooltip(const Timeline& timeline, const Row& row, const RowNote& note)
{
    const bool isMachine = row.role == TrackRole::Group;
    if (note.known.empty())
        return isMachine && !note.source.isValid() ? said("Nothing says whose guest %1 is").arg(text(note.title)) : QString();
    const QString name = text(note.title);
    if (note.inner == std::int32_t(note.trace)) // The host's process and thread are unknown.
        return said("%1, known by %2: what runs it on its host is not known").arg(name, text(note.known));
    const QString host = text(timeline.hosts[row.host].shownName());
    const QString process = row.pid >= 0 ? said("process %1 of %2").arg(row.pid).arg(host) : said("a process of %1").arg(host);
    const QString where = row.tid >= 0 ? said("thread %1, %2").arg(row.tid).arg(process) : process;
    return said("%1 runs in %2: %3").arg(name, where, knownText(note));
}

} // namespace helio
