#include "core/timesync/host_clocks.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <cstdlib>
#include <random>

using namespace helio;

namespace {

double valueOf(const std::string& text)
{
    char* unit = nullptr;
    const double number = std::strtod(text.c_str(), &unit);
    const std::string name(unit);
    return number * (name == " s" ? 1e9 : name == " ms" ? 1e6 : name == " µs" ? 1e3 : 1);
}

} // namespace

/// Property: error bounds are rounded up in texts, because a bound that is rounded down is wrong.
class BoundTextTest : public QObject {
    Q_OBJECT

private slots:
    void boundsAreRoundedUp()
    {
        const std::pair<std::int64_t, const char*> bounds[] = {{0, "0 ns"},
                                                               {999, "999 ns"},
                                                               {1'000, "1 µs"},
                                                               {1'001, "1.01 µs"},
                                                               {193'303, "194 µs"},
                                                               {208'781, "209 µs"},
                                                               {209'000, "209 µs"},
                                                               {999'001, "1 ms"},
                                                               {12'345'678, "12.4 ms"},
                                                               {999'999'999, "1 s"},
                                                               {5'217'910'001, "5.21792 s"}};
        for (const auto& [ns, text] : bounds)
            QCOMPARE(roughText(Duration(ns)), std::string(text));
    }

    void noneIsLessThanWhatItStandsFor()
    {
        std::mt19937_64 random(3);
        for (int i = 0; i < 20'000; ++i) {
            const auto ns = std::int64_t(random() >> (4 + random() % 60));
            const double value = valueOf(roughText(Duration(ns)));
            QVERIFY2(value >= double(ns) * (1 - 1e-12), std::to_string(ns).c_str());
            QVERIFY2(value <= double(ns) * 1.01 + 1, std::to_string(ns).c_str());
        }
        QVERIFY(!roughText(Duration::max()).empty());
    }
};

HELIO_TEST(BoundTextTest)
#include "tst_bound_text.moc"
