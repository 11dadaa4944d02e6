#include "widgets/view/clock_steps.h"

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

void ClockSteps::set(ClockChoice choice, const QString& what)
{
    dropPreview();
    if (choice == m_choice)
        return;
    ClockChoice before = m_choice;
    take(std::move(choice));
    add(std::move(before), what);
}

void ClockSteps::preview(ClockChoice choice)
{
    if (!std::exchange(m_isPreviewing, true))
        m_beforePreview = m_choice;
    take(std::move(choice));
}

void ClockSteps::keep(const QString& what)
{
    if (std::exchange(m_isPreviewing, false) && m_choice != m_beforePreview)
        add(std::move(m_beforePreview), what);
}

void ClockSteps::dropPreview()
{
    if (std::exchange(m_isPreviewing, false))
        take(std::move(m_beforePreview));
}

QString ClockSteps::undoWhat() const { return canUndo() ? m_steps[m_place - 1].what : QString(); }
QString ClockSteps::redoWhat() const { return canRedo() ? m_steps[m_place].what : QString(); }
std::size_t ClockSteps::undoOrder() const { return canUndo() ? m_steps[m_place - 1].order : 0; }
std::size_t ClockSteps::redoOrder() const { return canRedo() ? m_steps[m_place].order : 0; }

void ClockSteps::undo()
{
    if (m_isPreviewing)
        return dropPreview();
    if (!canUndo())
        return;
    take(m_steps[--m_place].before);
    emit stepsChanged();
}

void ClockSteps::redo()
{
    dropPreview();
    if (!canRedo())
        return;
    take(m_steps[m_place++].after);
    emit stepsChanged();
}

void ClockSteps::begin(ClockChoice choice)
{
    m_isPreviewing = false;
    const bool hadSteps = !m_steps.empty();
    m_steps.clear();
    m_place = 0;
    take(std::move(choice));
    if (hadSteps)
        emit stepsChanged();
}

void ClockSteps::add(ClockChoice before, const QString& what)
{
    m_steps.erase(m_steps.begin() + std::ptrdiff_t(m_place), m_steps.end());
    if (m_steps.size() == MostSteps)
        m_steps.erase(m_steps.begin());
    m_steps.push_back({std::move(before), m_choice, what, nextOrder()});
    m_place = m_steps.size();
    emit stepsChanged();
}

void ClockSteps::take(ClockChoice choice)
{
    if (choice == m_choice)
        return;
    m_choice = std::move(choice);
    emit choiceChanged();
}

} // namespace helio
