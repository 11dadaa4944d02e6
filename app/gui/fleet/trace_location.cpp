#include "app/gui/fleet/trace_location.h"

#include "widgets/time/qt_text.h"

#include <QCoreApplication>
#include <QFileInfo>
#include <QSysInfo>

namespace helio {

using fleet::FleetTrace;

bool isHere(const FleetTrace& trace)
{
    if (trace.path.empty() || trace.path.size() >= fleet::FleetTable::MostText)
        return false;
    QFileInfo file(text(trace.path));
    if (file.exists())
        return true;
    while (!file.isRoot() && !file.path().isEmpty() && file.path() != file.filePath()) { // A path into an archive: "traces.tar.gz/kernel".
        file.setFile(file.path());
        if (file.exists())
            return file.isFile();
    }
    return false;
}

QString openProblem(const FleetTrace& trace)
{
    const auto tr = [](const char* words) { return QCoreApplication::translate("TraceLocation", words); };
    if (isHere(trace))
        return {};
    const QString path = text(trace.path);
    const QString machine = text(trace.machine);
    if (machine.isEmpty())
        return tr("%1 does not exist on this machine (%2).").arg(path, QSysInfo::machineHostName());
    return machine == QSysInfo::machineHostName()
        ? tr("%1 does not exist any more. Index the trace again where it is now.").arg(path)
        : tr("%1 is on %2, not on this machine (%3). Open the trace there, or mount its folder at the same path here.")
              .arg(path, machine, QSysInfo::machineHostName());
}

std::optional<std::uint32_t> findTypicalHere(const fleet::FleetTable& table, const std::vector<std::uint32_t>& order, std::uint32_t except,
                                             const std::stop_token& stop)
{
    constexpr std::size_t MostLooks = 500;
    const std::size_t middle = order.size() / 2;
    for (std::size_t i = 0, looks = 0; i <= order.size() && looks < MostLooks && !stop.stop_requested(); ++i) {
        // Places around the middle: 0, +1, -1, +2, -2 ...
        const std::size_t place = i % 2 == 1 ? middle + (i + 1) / 2 : middle - i / 2;
        if (place >= order.size() || order[place] == except)
            continue;
        ++looks;
        if (isHere(table.traces[order[place]]))
            return order[place];
    }
    return {};
}

} // namespace helio
