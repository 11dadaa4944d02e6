#pragma once

#include "widgets/compare/difference_pages.h"
#include "widgets/compare/side_look.h"

#include <QJsonObject>
#include <QObject>

#include <span>

class QAction;
class QSplitter;

namespace helio {

class CompareContext;
class DockArea;
class WhySlowerView;
struct SampledFunction;

/// What lies below the timelines of a comparison: what differs at the left, why B took longer and what is unusual at the right. The context
/// outlives it. UI thread.
class ComparisonDocks : public QObject {
    Q_OBJECT

public:
    ComparisonDocks(CompareContext& context, QObject* parent);

    /// Both docks; becomes a child of what it is put into.
    QSplitter* widget() const { return m_parts; }
    WhySlowerView& why() const { return *m_why; }
    QList<QAction*> exports() const; ///< Of the differential flame graph.

    /// Functions of both sides, once they are compared. Empty: not yet, or there are none.
    std::span<const SampledFunction> functions() const;
    void showFunction(const SampledFunction& function); ///< On the page of functions.

    void toggleDifferences();
    void toggleWhySlower();
    void showMessages(Side of);
    bool showClocks(Side of); ///< False: it has one host only.

    /// Shares the window's width among the docks, unless a person has parted them.
    void layOut();

    /// Which pages are shown, and how.
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
    DifferencePages m_difference;
    QSplitter* m_parts;
    bool m_isPartedByHand = false;
    bool m_isPageChosen = false; ///< A file, or the kind of recording, has determined the page of m_difference.
};

} // namespace helio
