#include "widgets/workspace/clock_history.h"

#include <utility>

namespace helio {

ClockHistory::ClockHistory(ChangeHistory& changes, QObject* parent)
    : QObject(parent)
    , m_changes(changes)
{
}

void ClockHistory::set(ClockSettings choice, const QString& what)
{
    dropPreview();
    decide({std::move(choice), m_decided.looks}, what);
}

void ClockHistory::setLooks(HostStyles looks, const QString& what)
{
    dropPreview();
    decide({m_decided.clocks, std::move(looks)}, what);
}

void ClockHistory::decide(Decided now, const QString& what)
{
    if (now == m_decided)
        return;
    Decided before = m_decided;
    take(std::move(now));
    add(std::move(before), what);
}

void ClockHistory::preview(ClockSettings choice)
{
    if (!m_isPreviewing)
        m_beforePreview = m_decided;
    setPreviewing(true);
    take({std::move(choice), m_decided.looks});
}

void ClockHistory::keep(const QString& what)
{
    if (!m_isPreviewing)
        return;
    setPreviewing(false);
    if (m_decided != m_beforePreview)
        add(std::move(m_beforePreview), what);
}

void ClockHistory::dropPreview()
{
    if (!m_isPreviewing)
        return;
    m_isPreviewing = false;
    m_changes.setPreview({});
    take(std::move(m_beforePreview));
    emit previewingChanged();
}

void ClockHistory::begin(ClockSettings choice, HostStyles looks)
{
    const bool hadPreview = std::exchange(m_isPreviewing, false);
    if (hadPreview)
        m_changes.setPreview({});
    m_changes.forget(this);
    take({std::move(choice), std::move(looks)});
    if (hadPreview)
        emit previewingChanged();
}

void ClockHistory::setPreviewing(bool isPreviewing)
{
    if (std::exchange(m_isPreviewing, isPreviewing) == isPreviewing)
        return;
    m_changes.setPreview(isPreviewing ? [this] { dropPreview(); } : std::function<void()>());
    emit previewingChanged();
}

void ClockHistory::add(Decided before, const QString& what)
{
    const auto restore = [this](Decided decided) {
        return [this, decided = std::move(decided)] {
            dropPreview();
            take(decided);
        };
    };
    m_changes.add(this, {.text = what, .undo = restore(std::move(before)), .redo = restore(m_decided)});
}

void ClockHistory::take(Decided decided)
{
    const Decided before = std::exchange(m_decided, std::move(decided));
    if (m_decided.clocks != before.clocks)
        emit choiceChanged();
    if (m_decided.looks != before.looks)
        emit looksChanged();
}

} // namespace helio
