#include "widgets/workspace/change_history.h"

#include <QUndoCommand>

#include <utility>
#include <vector>

namespace helio {

namespace {

constexpr int MostChanges = 500;

} // namespace

class ChangeHistory::Command : public QUndoCommand {
public:
    Command(ChangeHistory& history, const QObject* owner, Change change)
        : m_history(history)
        , m_owner(owner)
        , m_change(std::move(change))
    {
        const QString name = history.m_names.value(owner);
        const QString text = m_change.text.left(1).toUpper() + m_change.text.mid(1);
        setText(name.isEmpty() ? text : ChangeHistory::tr("%1 (%2)").arg(text, name));
    }

    const QObject* owner() const { return m_owner; }
    const Change& change() const { return m_change; }

    void undo() override { run(m_change.undo); }
    void redo() override { run(m_change.redo); }
    int id() const override { return m_change.mergeKey.isEmpty() ? -1 : 1; }
    bool mergeWith(const QUndoCommand* other) override
    {
        const auto* next = dynamic_cast<const Command*>(other);
        if (!next || !m_history.m_canMerge || next->m_owner != m_owner || next->m_change.mergeKey != m_change.mergeKey)
            return false;
        m_change.text = next->m_change.text;
        m_change.redo = next->m_change.redo;
        m_change.after = next->m_change.after;
        setText(next->text());
        setObsolete(m_change.before.isValid() && m_change.before == m_change.after);
        return true;
    }

private:
    void run(const std::function<void()>& function) const
    {
        if (!m_history.m_isQuiet)
            function();
    }

    ChangeHistory& m_history;
    const QObject* m_owner;
    Change m_change;
};

ChangeHistory::ChangeHistory(QObject* parent)
    : QObject(parent)
{
    m_stack.setUndoLimit(MostChanges);
}

void ChangeHistory::add(const QObject* owner, Change change)
{
    if (m_pauses > 0)
        return;
    m_isQuiet = true; // QUndoStack redoes each command that it gets, but the change was already made.
    m_stack.push(new Command(*this, owner, std::move(change)));
    m_isQuiet = false;
    m_canMerge = true;
    emit changed();
}

void ChangeHistory::forget(const QObject* owner)
{
    std::vector<std::pair<const QObject*, Change>> kept;
    int index = 0; // Number of kept changes that are in effect.
    for (int i = 0; i < m_stack.count(); ++i) {
        const auto& command = static_cast<const Command&>(*m_stack.command(i));
        if (command.owner() == owner)
            continue;
        kept.emplace_back(command.owner(), command.change());
        index += i < m_stack.index();
    }
    if (int(kept.size()) == m_stack.count())
        return;
    m_isQuiet = true;
    m_canMerge = false;
    m_stack.clear();
    for (auto& [its, change] : kept)
        m_stack.push(new Command(*this, its, std::move(change)));
    m_stack.setIndex(index);
    m_isQuiet = false;
    emit changed();
}

void ChangeHistory::setPreview(std::function<void()> drop)
{
    const bool hadPreview = hasPreview();
    m_dropPreview = std::move(drop);
    if (hasPreview() != hadPreview)
        emit changed();
}

bool ChangeHistory::endPreview()
{
    const auto drop = std::exchange(m_dropPreview, {});
    if (!drop)
        return false;
    drop();
    emit changed();
    return true;
}

void ChangeHistory::undo()
{
    if (endPreview())
        return;
    step(&QUndoStack::undo);
}

void ChangeHistory::redo()
{
    endPreview();
    step(&QUndoStack::redo);
}

void ChangeHistory::step(void (QUndoStack::*go)())
{
    const Pause pause(*this);
    m_canMerge = false;
    (m_stack.*go)();
    emit changed();
}

} // namespace helio
