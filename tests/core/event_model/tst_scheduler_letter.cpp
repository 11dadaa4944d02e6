#include "core/analyses/kernel/states.h"
#include "core/event_model/scheduler_letter.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <set>
#include <string>

using namespace helio;

class SchedulerLetterTest : public QObject {
    Q_OBJECT
private slots:
    void everyLetterIsAStateOfTheKernelAnalysis()
    {
        std::set<std::string> letters;
        for (const StateKind& state : kernel::threadStates().states) {
            const std::string letter(schedulerLetterOf(state.name));
            QVERIFY2(letter.empty() || letters.insert(letter).second, state.name.c_str());
            QVERIFY2(letter.empty() || !isOnCpu(state.meaning), state.name.c_str());
        }
        QCOMPARE(letters, (std::set<std::string>{"D", "I", "P", "S", "T"}));
        QCOMPARE(schedulerLetterOf("running"), std::string_view());
    }
};

HELIO_TEST(SchedulerLetterTest)
#include "tst_scheduler_letter.moc"
