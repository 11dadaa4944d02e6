#include "app/timesync/clock_files.h"

#include "app/timesync/sync_file.h"
#include "core/store/file/temporary_file.h"
#include "core/timesync/clock_changes.h"
#include "widgets/workspace/view_context.h"

#include <QCoreApplication>
#include <QFileInfo>

namespace helio {

namespace {

QString tr(const char* text) { return QCoreApplication::translate("clocks", text); }

QString filter() { return tr("Clocks (*.json)"); }

} // namespace

void exportClocks(ViewContext& context)
{
    const QString path = context.askPath(tr("Export clocks"), QStringLiteral("clocks.json"), filter());
    if (path.isEmpty())
        return;
    const QString problem = writeClocks(context, path);
    context.say(problem.isEmpty() ? tr("Saved to %1").arg(path) : problem);
}

void importClocks(ViewContext& context)
{
    const QString path = context.askFile(tr("Import clocks"), filter(), false);
    if (path.isEmpty())
        return;
    const QString problem = readClocks(context, path);
    context.say(problem.isEmpty() ? tr("Clocks set from %1").arg(QFileInfo(path).fileName()) : problem);
}

QString writeClocks(ViewContext& context, const QString& path)
{
    const auto timeline = context.timeline();
    if (!timeline)
        return tr("No trace is open");
    const Status saved = saveFile(path.toStdString(), syncDocument(*timeline));
    return saved ? QString() : tr("Cannot write %1: %2").arg(path, QString::fromStdString(saved.error().what));
}

QString readClocks(ViewContext& context, const QString& path)
{
    const auto timeline = context.timeline();
    if (!timeline)
        return tr("No trace is open");
    const auto file = readSyncFile(path.toStdString());
    if (!file)
        return QString::fromStdString(file.error().what);
    ClockHistory& clocks = context.clocks();
    auto choice = withAll(*timeline, clocks.choice(), *file);
    if (!choice)
        return tr("%1: %2").arg(path, QString::fromStdString(choice.error().what));
    if (*choice == clocks.choice())
        return tr("%1 changes nothing for these hosts").arg(QFileInfo(path).fileName());
    clocks.set(std::move(*choice), tr("import of %1").arg(QFileInfo(path).fileName()));
    return {};
}

} // namespace helio
