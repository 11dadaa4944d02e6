#include "app/gui/meters/meters.h"

#include "widgets/async/latest_task.h"
#include "widgets/paint/paint_cost.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QWheelEvent>
#include <QWindow>

#include <algorithm>
#include <cstdio>
#include <new>

namespace helio {

namespace {

/// Time in ms. If the window is not repainted within this time after an input, the input has no effect and is not measured.
constexpr int Forget = 250;

double ms(qint64 ns) { return double(ns) / 1e6; }

bool isUpdate(QEvent::Type type) { return type == QEvent::UpdateRequest || type == QEvent::Expose; }

QJsonObject figures(std::vector<double> values)
{
    if (values.empty())
        return {};
    std::ranges::sort(values);
    const auto at = [&](double share) { return values[std::min(values.size() - 1, std::size_t(share * double(values.size())))]; };
    return {{"count", qint64(values.size())}, {"p50", at(0.5)}, {"p90", at(0.9)}, {"p99", at(0.99)}, {"max", values.back()}};
}

constexpr int BeatMs = 5;

} // namespace

FrameMeter::FrameMeter(QString path, std::function<bool()> isSettled, QObject* parent)
    : QObject(parent)
    , m_path(std::move(path))
    , m_isSettled(std::move(isSettled))
{
    m_clock.start();
    m_forget.setSingleShot(true);
    m_forget.setInterval(Forget);
    m_rest.setSingleShot(true);
    connect(&m_forget, &QTimer::timeout, this, [this] {
        m_kind = nullptr;
        if (m_isSettled())
            m_unsettledKind = nullptr;
    });
}

FrameMeter::~FrameMeter() { write(); }

const char* FrameMeter::kindOf(const QEvent& event)
{
    switch (event.type()) {
    case QEvent::Wheel: {
        const auto modifiers = static_cast<const QWheelEvent&>(event).modifiers();
        return modifiers & Qt::ControlModifier ? "zoom" : modifiers & Qt::ShiftModifier ? "pan" : "scroll";
    }
    case QEvent::MouseButtonPress:
    case QEvent::MouseButtonRelease: {
        const auto buttons = static_cast<const QMouseEvent&>(event).buttons();
        m_isLeftDown = buttons & Qt::LeftButton;
        m_isPanButtonDown = buttons & Qt::MiddleButton;
        return "click";
    }
    case QEvent::MouseMove: return m_isLeftDown ? "select" : m_isPanButtonDown ? "pan" : "hover";
    case QEvent::KeyPress: {
        const int key = static_cast<const QKeyEvent&>(event).key();
        if (key == Qt::Key_Control || key == Qt::Key_Shift || key == Qt::Key_Alt)
            return nullptr;
        return key == Qt::Key_A || key == Qt::Key_D ? "pan" : key == Qt::Key_W || key == Qt::Key_S ? "zoom" : "type";
    }
    case QEvent::Resize: return "resize";
    default: return nullptr;
    }
}

void FrameMeter::before(QObject* receiver, const QEvent& event)
{
    if (isUpdate(event.type()) && m_updates++ == 0) {
        m_updateBegin = threadTime();
        PaintCost::instance() = {};
    }
    if (!receiver->isWindowType() || !event.spontaneous())
        return;
    if (const char* kind = kindOf(event))
        input(kind);
}

void FrameMeter::input(const char* kind)
{
    const qint64 now = m_clock.nsecsElapsed();
    // The window was idle after the previous input. If it has not been repainted since then, the previous input had no effect and is not
    // measured.
    if (!m_rest.isActive()) {
        m_kind = nullptr;
        m_forget.start();
        if (m_isSettled())
            m_unsettledKind = nullptr;
        m_rest.start(0);
    }
    if (!m_kind) {
        m_kind = kind;
        m_begin = now;
        m_computedAtBegin = threadTime();
    }
    if (!m_unsettledKind) {
        m_unsettledKind = kind;
        m_unsettledSince = now;
    }
}

void FrameMeter::after(QObject*, QEvent::Type type)
{
    if (isUpdate(type) && --m_updates == 0)
        frameEnded();
}

void FrameMeter::frameEnded()
{
    const qint64 now = m_clock.nsecsElapsed();
    if (m_kind) {
        Samples& samples = m_kinds[m_kind];
        samples.frame.push_back(ms(now - m_begin));
        samples.computed.push_back(ms(threadTime() - m_computedAtBegin));
        samples.update.push_back(ms(threadTime() - m_updateBegin));
        samples.graphs.push_back(ms(PaintCost::instance().graphs));
        samples.bars.push_back(ms(PaintCost::instance().bars));
        m_kind = nullptr;
    }
    m_forget.stop();
    if (m_unsettledKind && m_isSettled()) {
        m_kinds[m_unsettledKind].settled.push_back(ms(now - m_unsettledSince));
        m_unsettledKind = nullptr;
    }
}

/// Writes the measurements as JSON, times in ms: {"pan": {"frame": {"count", "p50", "p90", "p99", "max"}, "computed": {...}, "update",
/// "graphs", "bars", "settled"}, "zoom": ...}.
void FrameMeter::write() const
{
    QJsonObject all;
    for (const auto& [kind, samples] : m_kinds)
        all[QString::fromStdString(kind)] = QJsonObject{{"frame", figures(samples.frame)},   {"computed", figures(samples.computed)},
                                                        {"update", figures(samples.update)}, {"graphs", figures(samples.graphs)},
                                                        {"bars", figures(samples.bars)},     {"settled", figures(samples.settled)}};
    QFile file(m_path);
    if (file.open(QIODevice::WriteOnly | QIODevice::Truncate))
        file.write(QJsonDocument(all).toJson(QJsonDocument::Compact) + '\n');
}

bool MeteredApplication::notify(QObject* receiver, QEvent* event)
{
    try {
        return notifyMetered(receiver, event);
    } catch (const std::bad_alloc&) { // Qt does not let exceptions through its event loop.
        emit JobFailures::instance().failed(tr("Out of memory: select a shorter range or close other programs."));
        return true;
    }
}

bool MeteredApplication::notifyMetered(QObject* receiver, QEvent* event)
{
    if (!m_meter)
        return QApplication::notify(receiver, event);
    const QEvent::Type type = event->type();
    m_meter->before(receiver, *event);
    const bool isHandled = QApplication::notify(receiver, event);
    if (m_meter)
        m_meter->after(receiver, type);
    return isHandled;
}

StallMeter::StallMeter(QObject* parent)
    : QObject(parent)
{
    m_beat.setTimerType(Qt::PreciseTimer);
    connect(&m_beat, &QTimer::timeout, this, [this] {
        const qint64 now = m_clock.nsecsElapsed();
        m_longest = std::max(m_longest, now - m_last);
        m_last = now;
        const qint64 computed = threadTime();
        m_longestComputed = std::max(m_longestComputed, computed - m_lastComputed);
        m_lastComputed = computed;
    });
    restart();
    m_beat.start(BeatMs);
}

StallMeter::~StallMeter()
{
    std::fprintf(stderr, "heliograph: longest event-loop gap %.1f ms, longest computation %.1f ms\n", longestMs(),
                 double(m_longestComputed) / 1e6);
}

void StallMeter::restart()
{
    m_clock.start();
    m_last = 0;
    m_longest = 0;
    m_lastComputed = threadTime();
    m_longestComputed = 0;
}

} // namespace helio
