#pragma once

#include "core/waits/path/path_causes.h"
#include "widgets/flame/frame/flame_bench.h"
#include "widgets/workspace/shown_command.h"
#include "widgets/workspace/view_context.h"

#include <memory>

class QComboBox;
class QTreeWidget;

namespace helio {

class EmptyPage;
class Pill;

/// A critical path, or those of many requests, as a flame graph: what each frame is as wide as is time of the path. Beside it the causes of
/// that time, each with the longest stretch, to go to. Follows the context while it is in view.
class WaitedForView : public FlameBench, public OffersCommand {
    Q_OBJECT

public:
    explicit WaitedForView(ViewContext& context, QWidget* parent = nullptr);
    ~WaitedForView() override;

    const QTreeWidget& causes() const { return *m_causes; }
    bool isBusy() const { return isBuilding(); }
    ShownCommand shownCommand() const override;

private:
    struct Asked;
    struct Answer;

    void makeCauses();
    void wire();
    void goTo(int line);
    Asked asked() const;
    void build() override;
    void take(std::shared_ptr<const Answer> answer);
    void showState() override;
    void showCauses();
    const std::vector<PathCause>& listed() const; ///< Requires: an answer is shown.
    QString foundWords(const SampleSum& sum, const FunctionMatcher& matches) const override;
    TipContent tipOf(const FlamePlace& place) const override;
    void fillFrameMenu(QMenu& menu, const CallTree& tree, const FlamePlace& place) override;

    ViewContext& m_context;
    EmptyPage* m_page;
    QComboBox* m_by; ///< By PathBy.
    QTreeWidget* m_causes;
    std::shared_ptr<const Answer> m_answer; ///< That is shown. Null: none.
};

} // namespace helio
