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

/// Docks below the timelines of a comparison. Left: the differences. Right: why B took longer, and warnings.
/// Ownership: the context outlives the object.
/// Threads: UI thread.
class ComparisonDocks : public QObject {
    Q_OBJECT

public:
    ComparisonDocks(CompareContext& context, QObject* parent);

    /// Returns the splitter with both docks.
    /// Ownership: belongs to the widget to which the caller adds it.
    QSplitter* widget() const { return m_parts; }
    WhySlowerView& why() const { return *m_why; }
    QList<QAction*> exports() const; ///< Returns the export actions of the differential flame graph.

    /// Returns the functions of both sides; empty until the comparison is computed, or if there are none.
    std::span<const SampledFunction> functions() const;
    void showFunction(const SampledFunction& function); ///< Opens the page of functions and shows a function there.

    /// Returns the id of the page to which commands apply: the current page of the right dock if it has the focus, else the current page of
    /// the differences, else the current page of the right dock. Closed docks do not count; empty if both docks are closed.
    QString currentPage() const;

    void toggleDifferences();
    void toggleWhySlower();
    void showMessages(Side of);
    bool showClocks(Side of); ///< Opens the page with the clocks of a side. Returns false if the side has only one host.

    /// Distributes the window's width among the docks, unless the user moved the handle between them.
    void layOut();

    /// Returns the shown pages and the state of each page, for session files.
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
    /// True if the page of m_lower (the dock with the differences) was already chosen, by a comparison file or by the kind of recording.
    bool m_isPageChosen = false;
};

} // namespace helio
