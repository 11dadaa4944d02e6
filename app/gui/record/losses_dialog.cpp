#include "app/gui/record/losses_dialog.h"

#include "core/query/rows/statistics.h"
#include "widgets/controls/field_grid.h"
#include "widgets/controls/icons.h"
#include "widgets/paint/text.h"
#include "widgets/theme/themes.h"
#include "widgets/time/qt_text.h"
#include "widgets/time/time_format.h"

#include <QButtonGroup>
#include <QHBoxLayout>
#include <QLabel>
#include <QLocale>
#include <QPainter>
#include <QPushButton>
#include <QRadioButton>
#include <QVBoxLayout>

#include <algorithm>

namespace helio {
namespace {

constexpr unsigned BufferFactor = 4;
constexpr unsigned LargestBuffer = 256; ///< Largest buffer of each CPU in MiB that a retry uses.
constexpr std::size_t MostCpus = 16; ///< Maximum number of CPUs that are drawn.

/// Row of CPUs with their numbers of lost events; CPUs with losses are hatched.
class CpuRow : public QWidget {
public:
    explicit CpuRow(const RecordedLosses& losses)
    {
        for (const auto& [cpu, events] : losses.byCpu)
            if (m_cpus.size() < MostCpus)
                m_cpus.emplace_back(cpu, events);
        setFixedHeight(22);
        QStringList texts;
        for (const auto& [cpu, events] : m_cpus)
            texts << textOf(cpu, events);
        setAccessibleName(texts.join(QStringLiteral(", ")));
    }

private:
    static QString textOf(std::int32_t cpu, std::uint64_t events)
    {
        const QString count = events > 0 ? QLocale().toString(qulonglong(events)) : LossesDialog::tr("unknown number");
        return cpu < 0 ? LossesDialog::tr("CPU unknown: %1").arg(count) : LossesDialog::tr("CPU %1: %2").arg(cpu).arg(count);
    }

    void paintEvent(QPaintEvent*) override
    {
        QPainter painter(this);
        painter.setFont(fonts().at(10.5, 500));
        const double step = double(width() + 6) / double(std::max<std::size_t>(1, m_cpus.size()));
        for (std::size_t i = 0; i < m_cpus.size(); ++i) {
            const QRectF box(double(i) * step, 0, step - 6, height());
            painter.fillRect(box, theme().color("surface.timeline"));
            painter.fillRect(box, QBrush(theme().color("mark.lost"), Qt::BDiagPattern));
            const QString shown =
                cachedElidedText(painter.font(), textOf(m_cpus[i].first, m_cpus[i].second), Qt::ElideRight, box.width() - 8);
            const double wide = cachedTextWidth(painter.font(), shown) + 8;
            painter.fillRect(QRectF(box.center().x() - wide / 2, 3, wide, height() - 6), theme().color("surface.timeline"));
            painter.setPen(theme().color("text.primary"));
            painter.drawText(box, Qt::AlignCenter, shown);
        }
    }

    std::vector<std::pair<std::int32_t, std::uint64_t>> m_cpus;
};

QString headline(const RecordedLosses& losses)
{
    QString text = losses.events > 0 ? LossesDialog::tr("%1 events were lost").arg(QLocale().toString(qulonglong(losses.events)))
                                     : LossesDialog::tr("Events were lost");
    if (losses.byCpu.size() == 1 && losses.byCpu.begin()->first >= 0)
        text += LossesDialog::tr(" on CPU %1").arg(losses.byCpu.begin()->first);
    const double share = losses.whole > Duration{} ? double(losses.unknown.count()) / double(losses.whole.count()) : 0;
    return text
        + LossesDialog::tr(". States there are unknown for %1 of %2 (%3 %).")
              .arg(durationText(losses.unknown), durationText(losses.whole), QLocale().toString(100 * share, 'f', share < 0.1 ? 1 : 0));
}

} // namespace

RecordedLosses lossesOf(const Timeline& timeline)
{
    RecordedLosses result;
    result.whole = timeline.range.duration();
    std::vector<TimeRange> ranges;
    for (const LossRange& loss : losses(timeline, timeline.range)) {
        result.byCpu[loss.cpu] += loss.events;
        result.events += loss.events;
        ++result.gaps;
        ranges.push_back(loss.range.clippedTo(timeline.range));
    }
    std::ranges::sort(ranges, {}, &TimeRange::begin);
    Timestamp covered = Timestamp::min();
    for (const TimeRange& range : ranges) {
        const Timestamp begin = std::max(range.begin, covered);
        if (range.end > begin)
            result.unknown += range.end - begin;
        covered = std::max(covered, range.end);
    }
    return result;
}

std::vector<RetryChoice> retryChoices(const RecordedMachine& machine)
{
    const RecordingRequest& request = machine.request;
    const RecordingPreset& preset = request.preset;
    std::vector<RetryChoice> choices;
    if (request.buffer < LargestBuffer) {
        RetryChoice larger{LossesDialog::tr("Larger buffers"), {}, request};
        larger.request.buffer = std::min(LargestBuffer, request.buffer * BufferFactor);
        larger.detail = LossesDialog::tr("%1 MiB for each CPU instead of %2").arg(larger.request.buffer).arg(request.buffer);
        choices.push_back(std::move(larger));
    }
    if (!preset.systemCalls.empty()) {
        RetryChoice fewer{LossesDialog::tr("Fewer events"), LossesDialog::tr("without system calls"), request};
        fewer.request.preset.systemCalls.clear();
        choices.push_back(std::move(fewer));
    }
    if (machine.plan.tool == RecordingTool::Perf && preset.needsMachine && !request.target.command.empty()) {
        RetryChoice only{LossesDialog::tr("Only this command"), LossesDialog::tr("other processes are not recorded"), request};
        only.request.preset.needsMachine = false;
        choices.push_back(std::move(only));
    }
    return choices;
}

LossesDialog::LossesDialog(const RecordedLosses& losses, const RecordedMachine& machine, QWidget* parent)
    : QDialog(parent)
    , m_choices(retryChoices(machine))
    , m_buttons(new QButtonGroup(this))
{
    setWindowTitle(tr("Recording finished with losses"));
    resize(532, 0);
    auto* lines = new QVBoxLayout(this);
    lines->setContentsMargins(24, 20, 24, 14);
    lines->setSpacing(8);
    auto* head = new QHBoxLayout;
    head->setSpacing(12);
    auto* sign = new QLabel;
    sign->setPixmap(iconPixmap("warning", theme().color("severity.warning"), 20, devicePixelRatioF()));
    head->addWidget(sign, 0, Qt::AlignTop);
    QLabel* const what = makeLabel(headline(losses), 13, 600, "text.primary");
    what->setWordWrap(true);
    head->addWidget(what, 1);
    lines->addLayout(head);
    if (!m_choices.empty())
        lines->addWidget(makeLabel(tr("Record again with"), 11.5, 400, "text.secondary"));
    for (std::size_t i = 0; i < m_choices.size(); ++i) {
        auto* row = new QHBoxLayout;
        auto* radio = new QRadioButton(m_choices[i].title);
        radio->setChecked(i == 0);
        m_buttons->addButton(radio, int(i));
        row->addWidget(radio);
        row->addStretch(1);
        row->addWidget(makeLabel(m_choices[i].detail, 11.5, 400, "text.secondary"));
        lines->addLayout(row);
    }
    lines->addSpacing(4);
    lines->addWidget(makeLabel(tr("Lost events by CPU"), 11.5, 400, "text.secondary"));
    lines->addWidget(new CpuRow(losses));
    lines->addSpacing(10);
    auto* foot = new QHBoxLayout;
    foot->setSpacing(8);
    foot->addStretch(1);
    auto* discard = new QPushButton(tr("Discard"));
    discard->setToolTip(tr("Close the recording and delete its folder"));
    connect(discard, &QPushButton::clicked, this, [this] {
        reject();
        emit discardRequested();
    });
    auto* keep = new QPushButton(tr("Keep"));
    connect(keep, &QPushButton::clicked, this, &QDialog::reject);
    auto* again = new QPushButton(themedIcon("record", "accent.ink"), tr("Record again"));
    again->setDefault(true);
    again->setVisible(!m_choices.empty());
    connect(again, &QPushButton::clicked, this, [this] {
        accept();
        emit retryRequested(m_choices[std::size_t(m_buttons->checkedId())].request);
    });
    for (QPushButton* const button : {discard, keep, again}) {
        button->setAutoDefault(false);
        foot->addWidget(button);
    }
    lines->addLayout(foot);
}

} // namespace helio
