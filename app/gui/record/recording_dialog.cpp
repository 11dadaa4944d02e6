#include "app/gui/record/recording_dialog.h"

#include "app/gui/record/recorder.h"
#include "widgets/controls/field_grid.h"
#include "widgets/controls/icons.h"
#include "widgets/paint/text.h"
#include "widgets/theme/themes.h"
#include "widgets/time/qt_text.h"

#include <QCloseEvent>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLocale>
#include <QMessageBox>
#include <QPainter>
#include <QPainterPath>
#include <QPushButton>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace helio {
namespace {

using Phase = RecordingStatus::Phase;

/// Returns a time as minutes, seconds and tenths, e.g. "00:07.4".
QString clockText(double seconds)
{
    const auto tenths = static_cast<qint64>(seconds * 10);
    return QString("%1:%2.%3").arg(tenths / 600, 2, 10, QChar('0')).arg(tenths / 10 % 60, 2, 10, QChar('0')).arg(tenths % 10);
}

/// Returns a rough duration, e.g. "1 h 19 min".
QString roughDuration(double seconds)
{
    const auto minutes = static_cast<qint64>(seconds / 60);
    if (minutes >= 48 * 60)
        return RecordingDialog::tr("%n days", nullptr, int(std::min<qint64>(minutes / 1440, 10'000)));
    return minutes >= 60 ? RecordingDialog::tr("%1 h %2 min").arg(minutes / 60).arg(minutes % 60)
                         : RecordingDialog::tr("%1 min").arg(minutes);
}

/// Bytes per second between each two sizes.
std::vector<double> ratesOf(const std::vector<SizeSample>& sizes)
{
    std::vector<double> rates;
    for (std::size_t i = 1; i < sizes.size(); ++i) {
        const double seconds = sizes[i].seconds - sizes[i - 1].seconds;
        rates.push_back(seconds > 0 ? std::max(0.0, sizes[i].bytes - sizes[i - 1].bytes) / seconds : 0);
    }
    return rates;
}

QLabel* addFigure(QHBoxLayout& line, const QString& name)
{
    auto* column = new QVBoxLayout;
    column->setSpacing(2);
    column->addWidget(makeLabel(name, 11.5, 400, "text.secondary"));
    QLabel* const value = makeLabel(QStringLiteral("\u2013"), 16, 600, "text.primary");
    value->setAccessibleName(name);
    column->addWidget(value);
    line.addLayout(column, 1);
    return value;
}

/// Sets the colour of a label, unless it has that colour: each call of styleLabel() makes the label follow the theme once more.
void setRole(QLabel& label, qreal size, const char* role)
{
    if (label.property("role").toString() == QLatin1String(role))
        return;
    label.setProperty("role", QString::fromLatin1(role));
    styleLabel(&label, size, 600, role);
}

} // namespace

/// Red dot beside the title while something is recorded.
class RecordingDialog::RecordingDot : public QWidget {
public:
    RecordingDot() { setFixedSize(12, 12); }
    void setOn(bool isOn)
    {
        m_isOn = isOn;
        QWidget::update();
    }

private:
    void paintEvent(QPaintEvent*) override
    {
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(Qt::NoPen);
        painter.setBrush(theme().color(m_isOn ? "severity.error" : "text.disabled"));
        painter.drawEllipse(QRectF(1.5, 1.5, 9, 9));
    }

    bool m_isOn = true;
};

/// Rate of the recording over time, drawn like a counter.
class RecordingDialog::RateGraph : public QWidget {
public:
    explicit RateGraph(const Recorder& recorder)
        : m_recorder(recorder)
    {
        setMinimumHeight(96);
        setAccessibleName(RecordingDialog::tr("Rate over time"));
    }

private:
    void paintEvent(QPaintEvent*) override
    {
        constexpr int Left = 44, Bottom = 18, Top = 4;
        QPainter painter(this);
        const auto& sizes = m_recorder.sizes();
        const std::vector<double> rates = ratesOf(sizes);
        const double most = std::max(1000.0, rates.empty() ? 0.0 : *std::ranges::max_element(rates)) * 1.15;
        const double end = std::max(10.0, sizes.empty() ? 0.0 : sizes.back().seconds);
        const QRectF area(Left, Top, width() - Left - 1, height() - Top - Bottom);
        painter.setFont(fonts().legend());
        for (int i = 0; i <= 2; ++i) {
            const double y = std::floor(area.bottom() - area.height() * i / 2.3) + 0.5;
            painter.setPen(theme().color("line.faint"));
            painter.drawLine(QPointF(area.left(), y), QPointF(area.right(), y));
            painter.setPen(theme().color("text.secondary"));
            drawTabular(painter, QRectF(0, y - 8, Left - 8, 16), Qt::AlignRight, text(bytesText(most * i / 2.3)));
        }
        painter.setPen(theme().color("text.secondary"));
        for (int i = 0; i <= 2; ++i) {
            const QRectF place(area.left() + area.width() * i / 2 - (i == 0 ? 0 : i == 2 ? 60 : 30), area.bottom() + 3, 60, 14);
            drawTabular(painter, place,
                        i == 0       ? Qt::AlignLeft
                            : i == 2 ? Qt::AlignRight
                                     : Qt::AlignHCenter,
                        RecordingDialog::tr("%1 s").arg(QLocale().toString(end * i / 2, 'f', end < 20 ? 1 : 0)));
        }
        if (rates.empty())
            return;
        painter.setRenderHint(QPainter::Antialiasing);
        QPainterPath line;
        for (std::size_t i = 0; i < rates.size(); ++i) {
            const QPointF point(area.left() + area.width() * sizes[i + 1].seconds / end, area.bottom() - area.height() * rates[i] / most);
            i == 0 ? line.moveTo(point) : line.lineTo(point);
        }
        QPainterPath filled = line;
        filled.lineTo(line.currentPosition().x(), area.bottom());
        filled.lineTo(line.elementAt(0).x, area.bottom());
        QColor color = theme().color("text.link");
        painter.setPen(QPen(color, 1.3));
        painter.drawPath(line);
        color.setAlphaF(0.15F);
        painter.fillPath(filled, color);
        painter.setPen(theme().color("cursor.line"));
        painter.drawLine(QPointF(line.currentPosition().x(), area.top()), QPointF(line.currentPosition().x(), area.bottom()));
    }

    const Recorder& m_recorder;
};

RecordingDialog::RecordingDialog(Recorder& recorder, QWidget* parent)
    : QDialog(parent)
    , m_recorder(recorder)
    , m_dot(new RecordingDot)
    , m_time(makeLabel(clockText(0), 30, 600, "text.primary"))
    , m_state(makeLabel({}, 11.5, 600, "severity.good"))
    , m_until(makeLabel({}, 11.5, 400, "text.secondary"))
    , m_tool(makeLabel({}, 11.5, 400, "text.secondary"))
    , m_graph(new RateGraph(recorder))
    , m_free(makeLabel({}, 12, 400, "text.primary"))
    , m_foot(makeLabel(tr("Opens when the recording stops."), 11.5, 400, "text.secondary"))
    , m_save(new QPushButton(tr("Save now")))
    , m_discard(new QPushButton(tr("Discard")))
    , m_stop(new QPushButton(themedIcon("stop", "accent.ink"), tr("Stop and open")))
{
    const RecordingRequest& request = recorder.machine().request;
    const QString subject = request.target.command.empty()
        ? text(request.preset.title)
        : text(std::filesystem::path(request.target.command.front()).filename().native());
    setWindowTitle(tr("Recording %1").arg(subject));
    resize(532, 448);
    auto* lines = new QVBoxLayout(this);
    lines->setContentsMargins(0, 18, 0, 0);
    lines->setSpacing(6);
    auto* page = new QVBoxLayout;
    page->setContentsMargins(24, 0, 24, 0);
    page->setSpacing(8);
    auto* head = new QHBoxLayout;
    head->addWidget(m_time);
    head->addStretch(1);
    head->addWidget(m_dot);
    head->addWidget(m_state);
    page->addLayout(head);
    auto* below = new QHBoxLayout;
    m_until->setText(request.target.duration
                         ? tr("until %1 have passed").arg(text(std::to_string(request.target.duration->count() / 1'000'000'000) + " s"))
                         : request.target.command.empty() ? tr("until you stop it")
                                                          : tr("until the command ends"));
    m_tool->setText(tr("%1, %2").arg(text(request.preset.title), text(wordOf(recorder.machine().plan.tool))));
    below->addWidget(m_until);
    below->addStretch(1);
    below->addWidget(m_tool);
    page->addLayout(below);
    page->addSpacing(6);
    auto* figures = new QHBoxLayout;
    m_size = addFigure(*figures, tr("Size"));
    m_rate = addFigure(*figures, tr("Rate"));
    m_lost = addFigure(*figures, tr("Lost events"));
    if (recorder.machine().plan.lossCounter.empty())
        m_lost->setToolTip(tr("%1 says only at the end how many events it lost").arg(text(wordOf(recorder.machine().plan.tool))));
    page->addLayout(figures);
    page->addWidget(makeLabel(tr("Bytes per second"), 11.5, 400, "text.secondary"));
    page->addWidget(m_graph, 1);
    auto* facts = new QHBoxLayout;
    facts->addWidget(makeLabel(tr("Free space"), 12, 400, "text.secondary"));
    facts->addWidget(m_free, 1);
    page->addLayout(facts);
    lines->addLayout(page, 1);
    lines->addWidget(new HorizontalRule);
    auto* foot = new QHBoxLayout;
    foot->setContentsMargins(20, 8, 20, 14);
    foot->setSpacing(8);
    foot->addWidget(m_foot, 1);
    m_save->setVisible(request.preset.isRing);
    m_save->setToolTip(tr("Save the last seconds and go on recording"));
    m_stop->setDefault(true);
    connect(m_save, &QPushButton::clicked, &recorder, &Recorder::save);
    connect(m_discard, &QPushButton::clicked, this, &RecordingDialog::askToDiscard);
    connect(m_stop, &QPushButton::clicked, this,
            [this] { m_recorder.status().phase == Phase::Ending ? m_recorder.kill() : m_recorder.stop(); });
    for (QPushButton* const button : {m_save, m_discard, m_stop}) {
        button->setAutoDefault(false);
        foot->addWidget(button);
    }
    lines->addLayout(foot);
    connect(&recorder, &Recorder::changed, this, &RecordingDialog::update);
    connect(&recorder, &Recorder::ended, this, &QDialog::accept);
    update();
}

void RecordingDialog::update()
{
    const RecordingStatus& status = m_recorder.status();
    const double seconds = static_cast<double>(status.elapsed.count()) / 1e9;
    m_time->setText(clockText(seconds));
    m_dot->setOn(status.phase == Phase::Recording);
    const bool isLosing = status.lost.value_or(0) > 0;
    m_state->setText(status.phase == Phase::Connecting   ? tr("Starting")
                         : status.phase == Phase::Ending ? tr("Ending")
                         : isLosing                      ? tr("Losing events")
                                                         : tr("Healthy"));
    setRole(*m_state, 11.5, isLosing ? "severity.warning" : status.phase == Phase::Recording ? "severity.good" : "text.secondary");
    m_size->setText(text(bytesText(static_cast<double>(status.bytes))));
    const std::vector<double> rates = ratesOf(m_recorder.sizes());
    m_rate->setText(rates.empty() ? QStringLiteral("\u2013") : text(bytesText(rates.back()) + "/s"));
    m_lost->setText(status.lost ? QLocale().toString(qlonglong(*status.lost)) : QStringLiteral("\u2013"));
    setRole(*m_lost, 16, !status.lost ? "text.secondary" : isLosing ? "mark.lost" : "severity.good");
    const double average = rates.empty() ? 0 : std::accumulate(rates.begin(), rates.end(), 0.0) / double(rates.size());
    const auto free = static_cast<double>(m_recorder.freeBytes());
    m_free->setText(free < 0          ? tr("unknown")
                        : average < 1 ? text(bytesText(free))
                                      : tr("%1, enough for %2").arg(text(bytesText(free)), roughDuration(free / average)));
    if (status.phase == Phase::Ending)
        m_stop->setText(tr("Stop now"));
    m_graph->update();
}

void RecordingDialog::askToDiscard()
{
    // The recording may end meanwhile, which deletes this dialog with its question.
    auto* box = new QMessageBox(QMessageBox::NoIcon, tr("Discard"), tr("Discard this recording? What was recorded is deleted."),
                                QMessageBox::Discard | QMessageBox::Cancel, this);
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->setDefaultButton(QMessageBox::Cancel);
    connect(box->button(QMessageBox::Discard), &QAbstractButton::clicked, &m_recorder, &Recorder::discard);
    box->open();
}

void RecordingDialog::reject() { close(); }

void RecordingDialog::closeEvent(QCloseEvent* event)
{
    if (m_recorder.isRecording())
        emit hiddenWhileRecording();
    event->accept();
}

} // namespace helio
