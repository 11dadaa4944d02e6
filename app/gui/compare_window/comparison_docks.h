#pragma once

#include "widgets/compare/side_style.h"

#include <QJsonObject>
#include <QObject>

#include <span>

class QAction;
class QSplitter;

namespace helio {

class CompareContext;
class DifferenceGraphView;
class DifferenceModel;
class DockArea;
class WhySlowerView;
struct SampledFunction;

/// Docks below the timelines of a comparison: the differences at the left, why B took longer and unusual things at the right. Ownership:
/// the context outlives the object. Threads: UI thread.
class ComparisonDocks : public QObject {
    Q_OBJECT

public:
    ComparisonDocks(CompareContext& context, QObject* parent);

    /// Splitter with both docks; it becomes a child of the widget that it is added to.
    QSplitter* widget() const { return m_parts; }
    WhySlowerView& why() const { return *m_why; }
    QList<QAction*> exports() const; ///< Export actions of the differential flame graph.

    /// Functions of both sides; empty until they are compared, or if there are none.
    std::span<const SampledFunction> functions() const;
    void showFunction(const SampledFunction& function); ///< Shows a function on the page of functions.

    void toggleDifferences();
    void toggleWhySlower();
    void showMessages(Side of);
    bool showClocks(Side of); ///< Shows the clocks of a side. Returns false if the side has one host only.

    /// Distributes the window's width among the docks, unless the user moved the handle between them.
    void layOut();

    /// Returns which pages are shown and their state.
    QJsonObject save() const;
    void restore(const QJsonObject& state);

private:
    void makeWhy();
    void makeDifferences();
    void addClocks(Side of);
    void show(DockArea* dock, bool isShown);
    void leaveEmptyGraph();

    CompareContext& m_context;
    WhySlowerView* m_why;
    DockArea* m_side;
    DockArea* m_lower;
    DifferenceModel* m_model;
    DifferenceGraphView* m_graph;
    QSplitter* m_parts;
    bool m_isResizedByUser = false;
    bool m_isPageChosen = false; ///< A file, or the kind of recording, has determined the page of m_lower.
};

} // namespace helio
