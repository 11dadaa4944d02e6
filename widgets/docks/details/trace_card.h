#pragma once

#include "widgets/workspace/view_context.h"

#include <QWidget>

class QLabel;

namespace helio {

class FieldGrid;

/// What Details shows while nothing is selected: what is open, host by host, and what can be selected. Follows the context. UI thread.
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
