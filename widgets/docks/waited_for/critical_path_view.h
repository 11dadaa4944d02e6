#pragma once

#include "core/waits/path/path_causes.h"
#include "widgets/flame/frame/flame_graph_base.h"
#include "widgets/workspace/shown_command.h"
#include "widgets/workspace/view_context.h"

#include <memory>

class QComboBox;
class QTreeWidget;

namespace helio {

class EmptyPage;
class Pill;

/// Dock with a critical path, or the critical paths of many requests, as a flame graph: the width of a frame is its time on the
/// path. Beside the graph are the causes of that time; a click on a cause goes to its longest path segment. Follows the context while
/// visible.
class CriticalPathView : public FlameGraphBase, public CommandProvider {
    Q_OBJECT

public:
    explicit CriticalPathView(ViewContext& context, QWidget* parent = nullptr);
    ~CriticalPathView() override;

    const QTreeWidget& causes() const { return *m_causes; }
    bool isBusy() const { return isBuilding(); }
    ShownCommand shownCommand() const override;

private:
    struct Asked;
    struct QueryResult;

    void makeCauses();
    void wire();
    void goTo(int line);
    Asked asked() const;
    void build() override;
    void take(std::shared_ptr<const QueryResult> answer);
    void showState() override;
    bool hasThread() const;
    void showCauses();
    const std::vector<PathCause>& listed() const; ///< Causes for the grouping that the user chose. Requires: m_answer is not nullptr.
    QString matchShareText(const SampleSum& sum, const FunctionMatcher& matches) const override;
    TipContent tipOf(const FlameFrameRef& place) const override;
    void fillFrameMenu(QMenu& menu, const CallTree& tree, const FlameFrameRef& place) override;

    ViewContext& m_context;
    EmptyPage* m_page;
    QComboBox* m_by; ///< Choice of how causes are grouped (PathGrouping).
    QTreeWidget* m_causes;
    std::shared_ptr<const QueryResult> m_answer; ///< Shown critical paths and their causes; nullptr if none are shown.
};

} // namespace helio
