#include "app/gui/common/edit_actions.h"

#include "app/gui/common/actions.h"
#include "widgets/controls/copy_text.h"
#include "widgets/timeline/graph/time_graph.h"
#include "widgets/workspace/change_history.h"

#include <QCoreApplication>
#include <QKeyEvent>

namespace helio {

namespace {

/// Sends Ctrl+C to a widget and its parents, which copy as if the user had pressed the keys. Returns false if none of them handled it.
bool sendCopyKey(QWidget& widget)
{
    QKeyEvent press(QEvent::KeyPress, Qt::Key_C, Qt::ControlModifier);
    press.ignore();
    QCoreApplication::sendEvent(&widget, &press);
    return press.isAccepted();
}

/// Returns the graph that contains the widget; nullptr if there is none.
const TimeGraph* graphAround(const QWidget* widget)
{
    for (; widget; widget = widget->parentWidget())
        if (const auto* graph = qobject_cast<const TimeGraph*>(widget))
            return graph;
    return nullptr;
}

} // namespace

EditActions::EditActions(Actions& actions, ChangeHistory& changes, QWidget& window)
    : QObject(&window)
    , m_actions(actions)
    , m_changes(changes)
    , m_window(window)
{
    connect(&changes, &ChangeHistory::changed, this, &EditActions::update);
    m_actions.on("edit.undo", [this] {
        const bool hasPreview = m_changes.hasPreview();
        const QString text = m_changes.undoText();
        m_changes.undo();
        if (hasPreview)
            return emit remark(tr("Preview dropped; no change was undone"));
        if (!text.isEmpty())
            emit remark(tr("Undone: %1").arg(text));
    });
    m_actions.on("edit.redo", [this] {
        const QString text = m_changes.redoText();
        m_changes.redo();
        if (!text.isEmpty())
            emit remark(tr("Redone: %1").arg(text));
    });
    m_actions.on("edit.copy", [this] { copy(); });
    update();
}

void EditActions::update()
{
    QAction& undo = m_actions.at("edit.undo");
    QAction& redo = m_actions.at("edit.redo");
    undo.setEnabled(m_changes.canUndo() || m_changes.hasPreview());
    redo.setEnabled(m_changes.canRedo());
    undo.setText(m_changes.hasPreview() ? tr("Drop preview") : m_changes.canUndo() ? tr("Undo %1").arg(m_changes.undoText()) : tr("Undo"));
    redo.setText(m_changes.canRedo() ? tr("Redo %1").arg(m_changes.redoText()) : tr("Redo"));
}

void EditActions::copy()
{
    QWidget* const focused = m_window.focusWidget();
    if (!focused)
        return emit remark(tr("Nothing is selected to copy"));
    if (const TimeGraph* graph = graphAround(focused)) {
        const QList<QStringList> rows = graph->selectedRowsTexts();
        if (rows.isEmpty())
            return emit remark(tr("No row is selected"));
        QStringList lines;
        for (const QStringList& row : rows)
            lines << row.join(u'\t');
        copyText(lines.join(u'\n'));
        return emit remark(rows.size() == 1 ? tr("Copied: %1").arg(rows.front().join(QStringLiteral(", ")))
                                            : tr("Copied the states of %1 rows at the cursor").arg(rows.size()));
    }
    if (!sendCopyKey(*focused))
        emit remark(tr("Nothing is selected to copy"));
}

} // namespace helio
