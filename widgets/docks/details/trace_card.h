#pragma once

#include "widgets/workspace/view_context.h"

#include <QWidget>

class QLabel;

namespace helio {

class FieldGrid;

/// Content of Details while nothing is selected: the open traces by host, and what the user can select. Follows the context.
/// Threads: UI thread.
class TraceCard : public QWidget {
    Q_OBJECT

public:
    explicit TraceCard(ViewContext& context, QWidget* parent = nullptr);

private:
    void refresh();

    ViewContext& m_context;
    QLabel* m_title;
    FieldGrid* m_facts;
    FieldGrid* m_ways;
};

} // namespace helio
