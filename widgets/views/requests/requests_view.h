#pragma once

#include "core/query/path/requests.h"
#include "widgets/shell/field_grid.h"
#include "widgets/view/view_context.h"
#include "widgets/work/fresh_answer.h"

class QComboBox;
class QLabel;
class QLineEdit;
class QTreeView;

namespace helio {

class RequestModel;

/// All requests of a kind: their lengths by cause, what the slowest have that others have not. A
/// click leads to one, a double click shows its critical path. Follows the context while it is in view.
class RequestsView : public PanelGround {
    Q_OBJECT

public:
    explicit RequestsView(ViewContext& context, QWidget* parent = nullptr);

    bool isBusy() const { return m_answer.isBusy() || m_answer.isDue(); }
    const RequestModel& model() const { return *m_model; }

protected:
    void showEvent(QShowEvent* event) override;

private:
    void updateKinds();
    void fetch();
    void take(std::shared_ptr<const Timeline> timeline, std::vector<RequestPath> all, bool isCut);
    void goTo(const QModelIndex& index);
    void showPath(const QModelIndex& index);

    ViewContext& m_context;
    QComboBox* m_kinds;
    QLineEdit* m_filter;
    QLabel* m_words;
    RequestModel* m_model;
    QTreeView* m_lines;
    FreshAnswer m_answer;
};

} // namespace helio
