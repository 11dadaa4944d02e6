#include "app/cli/tsp/query_parameters.h"
#include "tests/app/cli/serve/json_text.h"
#include "tests/support/test_program.h"

#include <QTest>

using namespace helio;

namespace {

std::string errorOf(const QByteArray& body)
{
    const auto read = readParameters(body.toStdString());
    return read ? std::string() : read.error().what;
}

} // namespace

class QueryParametersTest : public QObject {
    Q_OBJECT

private slots:
    void parametersAreRead()
    {
        const auto read = readParameters(
            json("{'parameters':{'name':'a','uri':'/"
                 "b','traces':['c'],'requested_timerange':{'start':-5,'end':9223372036854775000,'nbTimes':7},"
                 "'requested_items':[3,1],'requested_table_index':2,'requested_table_count':10,'requested_table_column_ids':[0],"
                 "'table_search_expressions':{'4':'x.*','5':''},'table_search_direction':'PREVIOUS','other':{},"
                 "'requested_element':{'elementType':'ARROW','time':1,'duration':2,'entryId':3,'destinationId':4},"
                 "'filter_query_parameters':{'strategy':'DEEP','filter_expressions_map':{'1':['tid == 1',''],'4':['x'],'9':[]}}}}")
                .toStdString());
        QVERIFY2(bool(read), read ? "" : read.error().what.c_str());
        QCOMPARE(read->name, std::string("a"));
        QCOMPARE(read->uri, std::string("/b"));
        QCOMPARE(*read->traces, std::vector<std::string>{"c"});
        QVERIFY((*read->times == RequestedTimes{timestamp(-5), timestamp(9223372036854775000), 7, {}}));
        QCOMPARE(*read->items, (std::vector<std::int64_t>{3, 1}));
        QVERIFY(read->lineIndex == 2 && read->lineCount == 10 && read->columns->size() == 1);
        QCOMPARE(read->search.expressions.size(), std::size_t(1));
        QVERIFY(read->search.direction == TableSearch::Direction::Previous);
        QCOMPARE(read->element->type, std::string("arrow"));
        QVERIFY(read->element->source == 3 && read->element->target == 4);
        QCOMPARE(read->dimming, std::vector<std::string>{"tid == 1"});
        QCOMPARE(read->excluding, std::vector<std::string>{"x"});
        QVERIFY(bool(readParameters("")) && bool(readParameters("{\"parameters\":{}}"))
                && bool(readParameters("{\"parameters\":{\"name\":null}}")));
    }

    void hostileBodiesAreErrors_data()
    {
        QTest::addColumn<QByteArray>("body");
        const auto add = [](const char* parameters) { test::addRow(parameters, "{\"parameters\":" + json(parameters) + '}'); };
        test::addRow("no JSON", QByteArray("{"));
        test::addRow("two documents", QByteArray("{\"parameters\":{}} {}"));
        test::addRow("array", QByteArray("[]"));
        test::addRow("no parameters", QByteArray("{\"x\":1}"));
        test::addRow("invalid UTF-8", QByteArray("{\"parameters\":{\"name\":\"\xff\"}}"));
        test::addRow("nested", QByteArray(100'000, '['));
        test::addRow("nested parameters", "{\"parameters\":{\"x\":" + QByteArray(100'000, '[') + "}}");
        test::addRow("many items", "{\"parameters\":{\"requested_items\":[1" + QByteArray(",1").repeated(100'000) + "]}}");
        test::addRow("many times", "{\"parameters\":{\"requested_times\":[1" + QByteArray(",1").repeated(65'536) + "]}}");
        test::addRow("long name", "{\"parameters\":{\"name\":\"" + QByteArray(5'000, 'x') + "\"}}");
        add("1");
        add("{'name':1}");
        add("{'traces':'x'}");
        add("{'traces':[1]}");
        add("{'requested_times':[2,1]}");
        add("{'requested_times':[-9223372036854775808,9223372036854775807]}");
        add("{'requested_times':[1.5]}");
        add("{'requested_times':[NaN]}");
        add("{'requested_times':[18446744073709551615]}");
        add("{'requested_times':[1e3]}");
        add("{'requested_times':['1']}");
        add("{'requested_times':{}}");
        add("{'requested_timerange':[]}");
        add("{'requested_timerange':{'start':1}}");
        add("{'requested_timerange':{'start':2,'end':1}}");
        add("{'requested_timerange':{'start':-9223372036854775808,'end':9223372036854775807}}");
        add("{'requested_timerange':{'start':1,'end':2,'nbTimes':0}}");
        add("{'requested_timerange':{'start':1,'end':2,'nbTimes':-1}}");
        add("{'requested_timerange':{'start':1,'end':2,'nbTimes':65537}}");
        add("{'requested_timerange':{'start':1,'end':2,'nbTimes':9223372036854775808}}");
        add("{'requested_timerange':{'start':true,'end':2}}");
        add("{'requested_items':[1.0]}");
        add("{'requested_items':3}");
        add("{'requested_table_index':-1}");
        add("{'requested_table_count':10001}");
        add("{'requested_table_count':-1}");
        add("{'requested_table_count':'5'}");
        add("{'table_search_expressions':{'x':'y'}}");
        add("{'table_search_expressions':{'1':2}}");
        add("{'table_search_direction':'UP'}");
        add("{'requested_element':{'time':'x'}}");
        add("{'requested_element':3}");
        add("{'filter_query_parameters':3}");
        add("{'filter_query_parameters':{'filter_expressions_map':[]}}");
        add("{'filter_query_parameters':{'filter_expressions_map':{'1':[1]}}}");
    }
    void hostileBodiesAreErrors()
    {
        QFETCH(QByteArray, body);
        QVERIFY(!errorOf(body).empty());
    }

    void timesAreEquallySpaced()
    {
        const auto points = [](std::int64_t first, std::int64_t last, std::size_t count) {
            std::vector<std::int64_t> ns;
            for (const Timestamp at : pointsOf({timestamp(first), timestamp(last), count, {}}, 4))
                ns.push_back(nanoseconds(at));
            return ns;
        };
        using Times = std::vector<std::int64_t>;
        QCOMPARE(points(10, 20, 3), (Times{10, 15, 20}));
        QCOMPARE(points(10, 20, 4), (Times{10, 13, 16, 20}));
        QCOMPARE(points(0, 9, 0), (Times{0, 3, 6, 9})); // The fallback.
        QCOMPARE(points(5, 6, 100), (Times{5, 6})); // There are no more ns.
        QCOMPARE(points(5, 5, 7), (Times{5}));
        QCOMPARE(points(1, 100, 1), (Times{1}));
        // Products of index and length that exceed 64 bits.
        const Times large = points(-4'611'686'018'427'387'904, 4'611'686'018'427'387'903, MostTimes);
        QCOMPARE(large.size(), MostTimes);
        QCOMPARE(large.back(), std::int64_t(4'611'686'018'427'387'903));
        QVERIFY(std::ranges::is_sorted(large));
        QCOMPARE(resolutionOf({timestamp(0), timestamp(10), 3, {}}, 1).count(), 5);
        QCOMPARE(resolutionOf({timestamp(0), timestamp(10), 1, {}}, 1).count(), 10); // Not 1 ns, which would be all details of the range.
        QCOMPARE(resolutionOf({timestamp(0), timestamp(0), 9, {}}, 1).count(), 1);
        QCOMPARE(resolutionOf({timestamp(0), timestamp(100), 0, {}}, 11).count(), 10);
    }

    void listedTimesStayAsTheyAre()
    {
        const auto read = readParameters("{\"parameters\":{\"requested_times\":[1,2,100]}}");
        QVERIFY(bool(read));
        QCOMPARE(pointsOf(*read->times, 5), (std::vector<Timestamp>{timestamp(1), timestamp(2), timestamp(100)}));
        QCOMPARE(resolutionOf(*read->times, 5).count(), 49);
        QVERIFY(bool(readParameters("{\"parameters\":{\"requested_times\":[]}}")));
    }
};

HELIO_TEST(QueryParametersTest)
#include "tst_query_parameters.moc"
