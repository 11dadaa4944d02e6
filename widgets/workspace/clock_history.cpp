#include "widgets/workspace/clock_history.h"

#include <utility>

namespace helio {

namespace {

constexpr std::size_t MostSteps = 500;

std::size_t nextOrder()
{
    static std::size_t order = 0;
    return ++order;
}

} // namespace

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
    take(std::move(m_beforePreview));
    emit previewingChanged();
}

QString ClockHistory::undoText() const { return canUndo() ? m_steps[m_place - 1].what : QString(); }
QString ClockHistory::redoText() const { return canRedo() ? m_steps[m_place].what : QString(); }
std::size_t ClockHistory::undoOrder() const { return canUndo() ? m_steps[m_place - 1].order : 0; }
std::size_t ClockHistory::redoOrder() const { return canRedo() ? m_steps[m_place].order : 0; }

void ClockHistory::undo()
{
    if (m_isPreviewing)
        return dropPreview();
    if (!canUndo())
        return;
    take(m_steps[--m_place].before);
    emit stepsChanged();
}

void ClockHistory::redo()
{
    dropPreview();
    if (!canRedo())
        return;
    take(m_steps[m_place++].after);
    emit stepsChanged();
}

void ClockHistory::begin(ClockSettings choice, HostStyles looks)
{
    const bool hadPreview = std::exchange(m_isPreviewing, false);
    const bool hadSteps = !m_steps.empty();
    m_steps.clear();
    m_place = 0;
    take({std::move(choice), std::move(looks)});
    if (hadPreview)
        emit previewingChanged();
    if (hadSteps)
        emit stepsChanged();
}

void ClockHistory::setPreviewing(bool isPreviewing)
{
    if (std::exchange(m_isPreviewing, isPreviewing) != isPreviewing)
        emit previewingChanged();
}

void ClockHistory::add(Decided before, const QString& what)
{
    m_steps.erase(m_steps.begin() + std::ptrdiff_t(m_place), m_steps.end());
    if (m_steps.size() == MostSteps)
        m_steps.erase(m_steps.begin());
    m_steps.push_back({std::move(before), m_decided, what, nextOrder()});
    m_place = m_steps.size();
    emit stepsChanged();
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
