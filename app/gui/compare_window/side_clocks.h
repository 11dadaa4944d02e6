#pragma once

#include <QObject>

namespace helio {

class MomentAlignment;
class StatusBar;
class ViewContext;

/// Implements the clock actions of the views of one side of a comparison: alignment by two moments, import and export of clock files. Shows
/// instructions in the status bar.
/// Ownership: context and bar outlive the object.
/// Threads: UI thread.
class SideClocks : public QObject {
    Q_OBJECT

public:
    SideClocks(ViewContext& context, StatusBar& status, QObject* parent);

private:
    void run(const QString& action);

    ViewContext& m_context;
    MomentAlignment* m_momentAlignment;
};

} // namespace helio
