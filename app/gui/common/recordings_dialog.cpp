#include "app/gui/common/recordings_dialog.h"

#include "app/gui/common/trace_path.h"
#include "app/gui/common/window_text.h"
#include "core/experiment/timeline.h"
#include "core/query/rows/facts.h"
#include "core/query/rows/recording_groups.h"
#include "core/timesync/clock_relation.h"
#include "widgets/controls/field_grid.h"
#include "widgets/time/qt_text.h"

#include <QDialogButtonBox>
#include <QPushButton>
#include <QStyle>
#include <QTreeWidget>
#include <QVBoxLayout>

#include <algorithm>

namespace helio {

namespace {

constexpr int PathRole = Qt::UserRole;
constexpr int LeastWidth = 720; ///< Minimum initial width of the dialog in pixels.
constexpr int MostWidth = 1400; ///< Maximum initial width of the dialog in pixels; a wider list scrolls.

/// Returns the tracer of one trace, e.g. "LTTng kernel".
QString kindOf(const TimelineTrace& trace)
{
    Timeline alone;
    alone.traces.push_back(trace);
    return recordingText(alone);
}

/// Returns the format for times of one trace: `format`, but with dates if the trace has a wall clock that is not converted to another
/// clock.
TimeFormat ownFormat(const TimelineTrace& trace, const TimeFormat& format)
{
    return !format.hasEpoch && trace.trace->info().clock.isAbsolute && trace.clock == ClockTransform{} ? TimeFormat{} : format;
}

} // namespace

QList<OfferedRecording> offeredRecordings(const Timeline& timeline, const TimeFormat& format)
{
    const auto groups = groupRecordings(timeline);
    const RecordingGroup* const onlyMarked = areApart(groups) ? &groups[shownGroup(timeline, groups)] : nullptr;
    QList<OfferedRecording> recordings;
    for (const RecordingGroup& group : groups)
        for (const std::uint32_t index : group.traces) {
            const TimelineTrace& trace = timeline.traces[index];
            const QString path = QString::fromStdString(trace.trace->info().path.string());
            if (std::ranges::find(recordings, path, &OfferedRecording::path) != recordings.end())
                continue;
            const TraceInfo& info = trace.trace->info();
            OfferedRecording recording;
            recording.path = path;
            recording.host = text(timeline.hosts[trace.host].shownName());
            recording.kind = kindOf(trace);
            recording.format = text(info.format + ", " + std::string(groundOf(info.recognition)));
            recording.clock = text(clockRelation(timeline, index));
            if (const TimeRange range = coveredRange(timeline, index); trace.trace->info().hasTimes && !range.isEmpty()) {
                const TimeFormat own = ownFormat(trace, format);
                recording.begin = QStringLiteral("%1  %2").arg(dateText(range.begin, own), timeText(range.begin, own, 0));
                recording.duration = durationText(range.duration());
            }
            recording.isMarked = !onlyMarked || &group == onlyMarked;
            recordings << recording;
        }
    return recordings;
}

RecordingsDialog::RecordingsDialog(const QList<OfferedRecording>& recordings, QWidget* parent)
    : QDialog(parent)
    , m_list(new QTreeWidget)
{
    setWindowTitle(tr("Choose recordings"));
    auto* layout = new QVBoxLayout(this);
    layout->setSpacing(6);
    layout->addWidget(makeLabel(tr("Recordings to show on one time axis:"), 11.5, 400, "text.secondary"));
    m_list->setAccessibleName(tr("Recordings"));
    m_list->setRootIsDecorated(false);
    m_list->setHeaderLabels({tr("Recording"), tr("Begin"), tr("Duration"), tr("Host"), tr("Tracer"), tr("Format"), tr("Clock")});
    QStringList paths;
    for (const OfferedRecording& it : recordings)
        paths << it.path;
    const QString common = commonFolder(paths) + '/';
    for (const OfferedRecording& it : recordings) {
        const QString name = it.path.startsWith(common) ? it.path.mid(common.size()) : it.path;
        auto* item = new QTreeWidgetItem(m_list, {name, it.begin, it.duration, it.host, it.kind, it.format, it.clock});
        item->setCheckState(0, it.isMarked ? Qt::Checked : Qt::Unchecked);
        item->setData(0, PathRole, it.path);
        item->setToolTip(0, it.path);
    }
    int width = 2 * m_list->frameWidth() + m_list->style()->pixelMetric(QStyle::PM_ScrollBarExtent);
    for (int column = 0; column < m_list->columnCount(); ++column) {
        m_list->resizeColumnToContents(column);
        width += m_list->columnWidth(column);
    }
    const QMargins margins = layout->contentsMargins();
    resize(std::clamp(width + margins.left() + margins.right(), LeastWidth, MostWidth), 420);
    layout->addWidget(m_list, 1);
    auto* box = new QDialogButtonBox(QDialogButtonBox::Open | QDialogButtonBox::Cancel);
    m_open = box->button(QDialogButtonBox::Open);
    connect(box, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(box, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(m_list, &QTreeWidget::itemChanged, this, [this] { m_open->setEnabled(!chosen().isEmpty()); });
    layout->addWidget(box);
}

QStringList RecordingsDialog::chosen() const
{
    QStringList paths;
    for (int i = 0; i < m_list->topLevelItemCount(); ++i)
        if (const QTreeWidgetItem* item = m_list->topLevelItem(i); item->checkState(0) == Qt::Checked)
            paths << item->data(0, PathRole).toString();
    return paths;
}

QStringList RecordingsDialog::ask(const QList<OfferedRecording>& recordings, QWidget* parent)
{
    RecordingsDialog dialog(recordings, parent);
    return dialog.exec() == Accepted ? dialog.chosen() : QStringList();
}

} // namespace helio
