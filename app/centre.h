#pragma once

#include "widgets/views/view_context.h"

#include <QWidget>

namespace helio {

/// The middle of the window: ruler and time panels. The actions of the time area work while the focus is in here.
class Centre : public QWidget {
    Q_OBJECT

public:
    explicit Centre(ViewContext& context, QWidget* parent = nullptr);
};

} // namespace helio
