#pragma once

#include <QObject>

namespace helio {

class SameMoment;
class StatusBar;
class ViewContext;

/// What views of one side of a comparison ask for about its hosts' clocks: two moments that were the same, files. What is to be done is
/// said in the status bar. Context and bar outlive it. UI thread.
class SideClocks : public QObject {
    Q_OBJECT

public:
    SideClocks(ViewContext& context, StatusBar& status, QObject* parent);

private:
    void run(const QString& action);

    ViewContext& m_context;
    SameMoment* m_sameMoment;
};

} // namespace helio
