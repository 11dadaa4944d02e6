#include "widgets/timeline/graph/graph_accessible.h"

#include "widgets/timeline/graph/panel_header.h"
#include "widgets/timeline/graph/time_graph.h"

#include <QAccessible>
#include <QAccessibleWidget>
#include <QHash>
#include <QPointer>

#include <algorithm>

namespace helio {

namespace {

const QString Between = QStringLiteral(", "); ///< Separator of the texts of a row.

/// Accessible item for one row of a time graph.
class GraphRowAccessible : public QAccessibleInterface, public QAccessibleActionInterface {
public:
    GraphRowAccessible(TimeGraph* graph, int row)
        : m_graph(graph)
        , m_row(row)
    {
    }

    bool isValid() const override { return m_graph && m_row < m_graph->rows().count(); }
    QObject* object() const override { return nullptr; }
    QAccessibleInterface* parent() const override { return QAccessible::queryAccessibleInterface(m_graph); }
    QAccessibleInterface* child(int) const override { return nullptr; }
    QAccessibleInterface* childAt(int, int) const override { return nullptr; }
    int childCount() const override { return 0; }
    int indexOfChild(const QAccessibleInterface*) const override { return -1; }
    QAccessible::Role role() const override { return QAccessible::ListItem; }
    QString text(QAccessible::Text kind) const override
    {
        return isValid() && kind == QAccessible::Name ? m_graph->rowTexts(m_row).join(Between) : QString();
    }
    void setText(QAccessible::Text, const QString&) override { }
    QRect rect() const override
    {
        const QRect area = isValid() ? m_graph->rowArea(m_row) : QRect();
        return isValid() ? QRect(m_graph->mapToGlobal(area.topLeft()), area.size()) : QRect();
    }
    QAccessible::State state() const override
    {
        QAccessible::State state;
        if (!isValid()) {
            state.invalid = true;
            return state;
        }
        const GraphRow& row = m_graph->rows()[m_row];
        state.selectable = state.focusable = row.ref.isValid();
        state.selected = m_row == m_graph->selectedRow();
        state.focused = state.selected && m_graph->hasFocus();
        state.expandable = row.hasChildren;
        state.expanded = row.hasChildren && row.isOpen;
        state.collapsed = row.hasChildren && !row.isOpen;
        state.offscreen = !m_graph->rect().intersects(m_graph->rowArea(m_row));
        return state;
    }
    void* interface_cast(QAccessible::InterfaceType type) override
    {
        return type == QAccessible::ActionInterface ? static_cast<QAccessibleActionInterface*>(this) : nullptr;
    }

    QStringList actionNames() const override
    {
        QStringList names{pressAction()};
        if (isValid() && m_graph->rows()[m_row].hasChildren)
            names << toggleAction();
        return names;
    }
    void doAction(const QString& name) override
    {
        if (!isValid())
            return;
        if (name == toggleAction())
            emit m_graph->rowToggled(m_row);
        else if (name == pressAction())
            m_graph->selectRow(m_row);
    }
    QStringList keyBindingsForAction(const QString&) const override { return {}; }

private:
    QPointer<TimeGraph> m_graph;
    int m_row;
};

/// Accessible interface of a time graph: a list with an item for each row.
class GraphAccessible : public QAccessibleWidget {
public:
    explicit GraphAccessible(TimeGraph* graph)
        : QAccessibleWidget(graph, QAccessible::List)
    {
    }
    ~GraphAccessible() override
    {
        for (const QAccessible::Id id : m_rows)
            QAccessible::deleteAccessibleInterface(id);
    }

    int childCount() const override { return graph().rows().count(); }
    QAccessibleInterface* child(int index) const override
    {
        if (index < 0 || index >= childCount())
            return nullptr;
        auto known = m_rows.constFind(index);
        if (known == m_rows.constEnd())
            known = m_rows.insert(index, QAccessible::registerAccessibleInterface(new GraphRowAccessible(&graph(), index)));
        return QAccessible::accessibleInterface(*known);
    }
    int indexOfChild(const QAccessibleInterface* child) const override
    {
        for (auto it = m_rows.constBegin(); it != m_rows.constEnd(); ++it)
            if (QAccessible::accessibleInterface(*it) == child)
                return it.key();
        return -1;
    }
    QAccessibleInterface* childAt(int x, int y) const override { return child(graph().rowAt(graph().mapFromGlobal(QPoint(x, y)))); }
    QAccessibleInterface* focusChild() const override { return graph().hasFocus() ? child(graph().selectedRow()) : nullptr; }
    QString text(QAccessible::Text kind) const override
    {
        if (kind != QAccessible::Description)
            return QAccessibleWidget::text(kind);
        const QStringList selected = graph().selectionTexts();
        return selected.isEmpty() ? TimeGraph::tr("%1 rows, none is selected").arg(childCount())
                                  : TimeGraph::tr("Selected: %1").arg(selected.join(Between));
    }

private:
    TimeGraph& graph() const { return *static_cast<TimeGraph*>(widget()); }

    mutable QHash<int, QAccessible::Id> m_rows; ///< Items that were requested, by row.
};

/// Header of a panel. Its tools are its children.
class HeaderAccessible : public QAccessibleWidget {
public:
    explicit HeaderAccessible(PanelHeader* header)
        : QAccessibleWidget(header)
    {
    }

    QAccessible::Role role() const override { return header().isCollapsible() ? QAccessible::Button : QAccessible::Client; }
    QAccessible::State state() const override
    {
        QAccessible::State state = QAccessibleWidget::state();
        state.expandable = header().isCollapsible();
        state.expanded = state.expandable && !header().isCollapsed();
        state.collapsed = state.expandable && header().isCollapsed();
        return state;
    }
    QStringList actionNames() const override
    {
        return header().isCollapsible() ? QStringList{pressAction()} + QAccessibleWidget::actionNames() : QAccessibleWidget::actionNames();
    }
    void doAction(const QString& name) override
    {
        if (name == pressAction() && header().isCollapsible())
            emit header().toggled();
        else
            QAccessibleWidget::doAction(name);
    }

private:
    PanelHeader& header() const { return *static_cast<PanelHeader*>(widget()); }
};

QAccessibleInterface* makeGraphAccessible(const QString&, QObject* object)
{
    if (auto* graph = qobject_cast<TimeGraph*>(object))
        return new GraphAccessible(graph);
    auto* header = qobject_cast<PanelHeader*>(object);
    return header ? new HeaderAccessible(header) : nullptr;
}

} // namespace

void installGraphAccessible()
{
    static const bool isInstalled = (QAccessible::installFactory(makeGraphAccessible), true);
    (void)isInstalled;
}

void reportExpansion(PanelHeader& header)
{
    QAccessible::State changed;
    changed.expanded = true;
    QAccessibleStateChangeEvent event(&header, changed);
    QAccessible::updateAccessibility(&event);
}

} // namespace helio
