<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="de_DE">
<context>
    <name>MappingDialogs</name>
    <message>
        <source>Mappings (*.yaml *.yml)</source>
        <translation>Zuordnungen (*.yaml *.yml)</translation>
    </message>
    <message>
        <source>Load a mapping of names</source>
        <translation>Namenszuordnung laden</translation>
    </message>
    <message>
        <source>All files (*)</source>
        <translation>Alle Dateien (*)</translation>
    </message>
    <message>
        <source>Save the mapping of names</source>
        <translation>Namenszuordnung speichern</translation>
    </message>
</context>
<context>
    <name>ulp::Findings</name>
    <message>
        <source>%1: attention ran in the kernel %2, in the reference in %3</source>
        <translation>%1: Attention lief im Kernel %2, in der Referenz in %3</translation>
    </message>
    <message>
        <source>Kernels add up and round in an order of their own, so part of the error of these layers does not come from the formats. Set attention.implementation of both runs to the same kernel to be rid of it.</source>
        <translation>Jeder Kernel summiert und rundet in eigener Reihenfolge; ein Teil des Fehlers dieser Schichten kommt daher nicht von den Formaten. Abhilfe: attention.implementation in beiden Läufen auf denselben Kernel setzen.</translation>
    </message>
    <message>
        <source>attention layers</source>
        <translation>Attention-Schichten</translation>
    </message>
    <message>
        <source>The attention of %1 does not multiply in float32</source>
        <translation>Die Attention von %1 multipliziert nicht in float32</translation>
    </message>
    <message>
        <source>The memory-efficient kernel makes each product of float32 of three products of TF32 on GPUs since Ampere. With attention.implementation: sdpa_math it is one of float32.</source>
        <translation>Der speichersparende Kernel bildet auf GPUs ab Ampere jedes float32-Produkt aus drei TF32-Produkten. Mit attention.implementation: sdpa_math ist es ein float32-Produkt.</translation>
    </message>
    <message>
        <source>Attention kernels</source>
        <translation>Attention-Kernel</translation>
    </message>
    <message>
        <source>%1 decides otherwise than the reference on %2 of %3 tokens (%4) whether %5 clips them</source>
        <translation>%1 entscheidet bei %2 von %3 Token (%4) anders als die Referenz, ob %5 sie beschneidet</translation>
    </message>
    <message>
        <source>%1 decides otherwise than the reference on %2 of %3 documents (%4) whether %5 clips them</source>
        <translation>%1 entscheidet bei %2 von %3 Dokumenten (%4) anders als die Referenz, ob %5 sie beschneidet</translation>
    </message>
    <message>
        <source>The ratio of new to old probability lies in another region (below, within, above the clip range) than in the reference for at least %1 of them, by the error of the log-probabilities alone. Where that changes which of them send a gradient, the update is another one.</source>
        <translation>Das Verhältnis von neuer zu alter Wahrscheinlichkeit liegt in einem anderen Bereich (unterhalb, innerhalb, oberhalb des Clip-Bereichs) als in der Referenz: bei mindestens %1 davon, allein durch den Fehler der Log-Wahrscheinlichkeiten. Wo dadurch andere von ihnen einen Gradienten liefern, ist auch das Update ein anderes.</translation>
    </message>
    <message>
        <source>flips</source>
        <translation>gekippt</translation>
    </message>
    <message>
        <source>share of the decisions</source>
        <translation>Anteil der Entscheidungen</translation>
    </message>
    <message>
        <source>with a gradient in one alone</source>
        <translation>mit Gradient in nur einem Lauf</translation>
    </message>
    <message>
        <source>Clip decisions that flip</source>
        <translation>Gekippte Clip-Entscheidungen</translation>
    </message>
    <message>
        <source>Share of the decisions</source>
        <translation>Anteil der Entscheidungen</translation>
    </message>
    <message>
        <source>Runs in which this share of the clip decisions differs from the reference&apos;s</source>
        <translation>Läufe, in denen dieser Anteil der Clip-Entscheidungen von der Referenz abweicht</translation>
    </message>
    <message>
        <source>Channel %1 holds all the worst elements of %2 tensors; the error peaks at %3 with %4 times its RMS (%5)</source>
        <translation>Kanal %1 enthält alle schlechtesten Elemente von %2 Tensoren; der Fehler ist am größten bei %3 mit dem %4-Fachen seines RMS (%5)</translation>
    </message>
    <message>
        <source>One element makes %1 of the squared error at %2; tensors of this kind: %3 (%4)</source>
        <translation>Ein Element macht %1 des quadratischen Fehlers bei %2 aus; Tensoren dieser Art: %3 (%4)</translation>
    </message>
    <message>
        <source>All elements of largest difference that the report lists have the same position in the last dimension, and the largest difference is at least %1 times the RMS of the difference. Mean errors then say little of the other channels.</source>
        <translation>Alle Elemente größter Differenz im Bericht haben dieselbe Position in der letzten Dimension, und die größte Differenz beträgt mindestens das %1-Fache des RMS der Differenz. Mittlere Fehler sagen dann wenig über die anderen Kanäle.</translation>
    </message>
    <message>
        <source>channel</source>
        <translation>Kanal</translation>
    </message>
    <message>
        <source>largest difference over RMS</source>
        <translation>größte Differenz durch RMS</translation>
    </message>
    <message>
        <source>The square of the largest difference is at least %1 of the sum of all squared differences of the tensor: RMS errors describe one element.</source>
        <translation>Das Quadrat der größten Differenz macht mindestens %1 der Summe aller quadrierten Differenzen des Tensors aus: RMS-Fehler beschreiben ein einziges Element.</translation>
    </message>
    <message>
        <source>share of the squared error</source>
        <translation>Anteil am quadratischen Fehler</translation>
    </message>
    <message>
        <source>tensors</source>
        <translation>Tensoren</translation>
    </message>
    <message>
        <source>Concentrated error</source>
        <translation>Konzentrierter Fehler</translation>
    </message>
    <message>
        <source>Share of the squared error in one element</source>
        <translation>Anteil eines Elements am quadratischen Fehler</translation>
    </message>
    <message>
        <source>One element that makes this part of the sum of squared differences is reported</source>
        <translation>Gemeldet wird ein Element, das diesen Teil der Summe der quadrierten Differenzen ausmacht</translation>
    </message>
    <message>
        <source>Tensors that share a channel</source>
        <translation>Tensoren mit gemeinsamem Kanal</translation>
    </message>
    <message>
        <source>A channel is reported once it holds the worst elements of this many tensors of a pass</source>
        <translation>Gemeldet wird ein Kanal, sobald er in so vielen Tensoren eines Durchlaufs die schlechtesten Elemente enthält</translation>
    </message>
    <message>
        <source>Largest difference over RMS, for channels</source>
        <translation>Größte Differenz durch RMS, für Kanäle</translation>
    </message>
    <message>
        <source>From here on the worst elements are looked at for a channel that they share</source>
        <translation>Ab hier werden die schlechtesten Elemente auf einen gemeinsamen Kanal untersucht</translation>
    </message>
    <message>
        <source>The error of %1 grows %2-fold at %3: from %4 to %5</source>
        <translation>Der Fehler von %1 wächst bei %3 auf das %2-Fache: von %4 auf %5</translation>
    </message>
    <message>
        <source>The relative error of a layer is at least %1 times that of the layer before in the same pass (%2), and above %3 unit round-offs (%4).</source>
        <translation>Der relative Fehler einer Schicht beträgt mindestens das %1-Fache der vorherigen Schicht im selben Durchlauf (%2) und liegt über %3 Rundungseinheiten (%4).</translation>
    </message>
    <message>
        <source>before</source>
        <translation>vorher</translation>
    </message>
    <message>
        <source>here</source>
        <translation>hier</translation>
    </message>
    <message>
        <source>factor</source>
        <translation>Faktor</translation>
    </message>
    <message>
        <source>Jump of the error</source>
        <translation>Fehlersprung</translation>
    </message>
    <message>
        <source>Growth from one layer to the next</source>
        <translation>Anstieg von einer Schicht zur nächsten</translation>
    </message>
    <message>
        <source>A layer&apos;s error over that of the layer before it</source>
        <translation>Fehler einer Schicht durch den der Schicht davor</translation>
    </message>
    <message>
        <source>Unit round-offs below which errors are not reported</source>
        <translation>Rundungseinheiten, unter denen kein Fehler gemeldet wird</translation>
    </message>
    <message>
        <source>Errors of a few roundings grow and shrink without meaning</source>
        <translation>Fehler von wenigen Rundungen wachsen und schrumpfen ohne Bedeutung</translation>
    </message>
    <message>
        <source>First divergence at %2: %3 where %4 came in (%1)</source>
        <translation>Erste Abweichung bei %2: %3, hereingekommen sind %4 (%1)</translation>
    </message>
    <message>
        <source>error</source>
        <translation>Fehler</translation>
    </message>
    <message>
        <source>carried in</source>
        <translation>mitgebracht</translation>
    </message>
    <message>
        <source>expected</source>
        <translation>erwartet</translation>
    </message>
    <message>
        <source>excess</source>
        <translation>Überschuss</translation>
    </message>
    <message>
        <source>First divergence</source>
        <translation>Erste Abweichung</translation>
    </message>
    <message>
        <source>Excess over carried error and round-off</source>
        <translation>Überschuss über mitgebrachten Fehler und Rundung</translation>
    </message>
    <message>
        <source>How many times the error of a tensor may exceed what its inputs and the format account for</source>
        <translation>Auf das Wievielfache dessen, was Eingaben und Format erklären, der Fehler eines Tensors wachsen darf</translation>
    </message>
    <message>
        <source>Not finite from %2: %3 of %4 elements (%1)</source>
        <translation>Nicht endlich ab %2: %3 von %4 Elementen (%1)</translation>
    </message>
    <message>
        <source>The first tensor in order of execution with NaN or infinite elements that the reference does not have: %1 NaN, %2 +Inf, %3 −Inf; the reference has %4. %5 tensors of the variant are affected in all.</source>
        <translation>Der erste Tensor in Ausführungsreihenfolge mit NaN oder unendlichen Elementen, die die Referenz nicht hat: %1 NaN, %2 +Inf, %3 −Inf; die Referenz hat %4. Insgesamt sind %5 Tensoren der Variante betroffen.</translation>
    </message>
    <message>
        <source>NaN</source>
        <translation>NaN</translation>
    </message>
    <message>
        <source>+Inf</source>
        <translation>+Inf</translation>
    </message>
    <message>
        <source>−Inf</source>
        <translation>−Inf</translation>
    </message>
    <message>
        <source>elements</source>
        <translation>Elemente</translation>
    </message>
    <message>
        <source>tensors affected</source>
        <translation>betroffene Tensoren</translation>
    </message>
    <message>
        <source>Not finite from %2, by the recorded statistics (%1)</source>
        <translation>Nicht endlich ab %2 laut aufgezeichneter Statistik (%1)</translation>
    </message>
    <message>
        <source>The first tensor in order of execution whose recorded maximum, minimum or norm is not finite where the reference&apos;s is. How many elements that are was not recorded. %1 tensors of the variant are affected in all.</source>
        <translation>Der erste Tensor in Ausführungsreihenfolge, dessen aufgezeichnetes Maximum, Minimum oder dessen Norm nicht endlich ist, während es die Referenz ist. Wie viele Elemente das sind, wurde nicht aufgezeichnet. Insgesamt sind %1 Tensoren der Variante betroffen.</translation>
    </message>
    <message>
        <source>First non-finite tensor</source>
        <translation>Erster nicht endlicher Tensor</translation>
    </message>
    <message>
        <source>Gradients of %1 underflow in %2: at %3, of RMS %4, the error is %5; tensors of this kind: %6. No loss scale helps, since gradients reach %7</source>
        <translation>Gradienten von %1 laufen in %2 unter: bei %3 mit RMS %4 ist der Fehler %5; Tensoren dieser Art: %6. Kein Loss-Scale hilft, da Gradienten bis %7 reichen</translation>
    </message>
    <message>
        <source>Gradients of %1 underflow in %2: at %3, of RMS %4, the error is %5; tensors of this kind: %6. A loss scale of %7 (2^%8) keeps them</source>
        <translation>Gradienten von %1 laufen in %2 unter: bei %3 mit RMS %4 ist der Fehler %5; Tensoren dieser Art: %6. Ein Loss-Scale von %7 (2^%8) erhält sie</translation>
    </message>
    <message>
        <source>Gradients of %1 underflow in %2: at %3, of RMS %4, the error is %5; tensors of this kind: %6. A loss scale of %7 (2^%8) keeps all but %9 of them</source>
        <translation>Gradienten von %1 laufen in %2 unter: bei %3 mit RMS %4 ist der Fehler %5; Tensoren dieser Art: %6. Ein Loss-Scale von %7 (2^%8) erhält alle bis auf %9</translation>
    </message>
    <message>
        <source>RMS of the reference there</source>
        <translation>RMS der Referenz dort</translation>
    </message>
    <message>
        <source>smallest RMS</source>
        <translation>kleinstes RMS</translation>
    </message>
    <message>
        <source>largest gradient known</source>
        <translation>größter bekannter Gradient</translation>
    </message>
    <message>
        <source>loss scale</source>
        <translation>Loss-Scale</translation>
    </message>
    <message>
        <source>Underflow of gradients</source>
        <translation>Unterlauf von Gradienten</translation>
    </message>
    <message>
        <source>Relative error of a gradient</source>
        <translation>Relativer Fehler eines Gradienten</translation>
    </message>
    <message>
        <source>Gradients below the normal numbers of their format are reported from this error on</source>
        <translation>Ab diesem Fehler werden Gradienten unterhalb der normalen Zahlen ihres Formats gemeldet</translation>
    </message>
    <message>
        <source>Close to overflow at %2: at least %3 of the %4 that %5 can hold (%1)</source>
        <translation>Nahe am Überlauf bei %2: mindestens %3 von %4, der Grenze von %5 (%1)</translation>
    </message>
    <message>
        <source>%5 would overflow at %2: values of at least %3, the format ends at %4 (%1)</source>
        <translation>%5 liefe bei %2 über: Werte von mindestens %3, das Format endet bei %4 (%1)</translation>
    </message>
    <message>
        <source>The largest value that the report knows of any tensor reaches %1 of the format&apos;s limit (threshold: %2 in the tensor&apos;s own format). It is a lower bound: a report holds the values of the elements of largest difference and the RMS of the reference, not the maximum of a tensor.</source>
        <translation>Der größte im Bericht bekannte Wert eines Tensors erreicht %1 der Grenze des Formats (Schwelle: %2 im eigenen Format des Tensors). Er ist eine untere Schranke: Der Bericht enthält die Werte der Elemente größter Differenz und das RMS der Referenz, nicht das Maximum eines Tensors.</translation>
    </message>
    <message>
        <source>largest value known</source>
        <translation>größter bekannter Wert</translation>
    </message>
    <message>
        <source>limit of the format</source>
        <translation>Grenze des Formats</translation>
    </message>
    <message>
        <source>share of the limit</source>
        <translation>Anteil an der Grenze</translation>
    </message>
    <message>
        <source>Headroom</source>
        <translation>Reserve</translation>
    </message>
    <message>
        <source>Share of the format&apos;s largest number</source>
        <translation>Anteil an der größten Zahl des Formats</translation>
    </message>
    <message>
        <source>Values known to reach this share of what their format can hold are reported</source>
        <translation>Gemeldet werden Werte, von denen bekannt ist, dass sie diesen Teil des Formatbereichs erreichen</translation>
    </message>
    <message>
        <source>The loss and every metric of every tensor are equal bit for bit. What the configurations differ in had no effect on this model and input, or the setting did not reach the computation: see the configurations side by side.</source>
        <translation>Der Loss und jede Metrik jedes Tensors sind bitgleich. Worin sich die Konfigurationen unterscheiden, hatte auf dieses Modell und diese Eingabe keine Wirkung, oder die Einstellung kam in der Rechnung nicht an: siehe die Konfigurationen nebeneinander.</translation>
    </message>
    <message>
        <source>%1 is identical to the reference</source>
        <translation>%1 ist identisch mit der Referenz</translation>
    </message>
    <message>
        <source>%2 is identical to %1</source>
        <translation>%2 ist identisch mit %1</translation>
    </message>
    <message>
        <source>%2 are identical to %1</source>
        <translation>%2 sind identisch mit %1</translation>
    </message>
    <message>
        <source>Identical variants</source>
        <translation>Identische Varianten</translation>
    </message>
    <message>
        <source>Errors start at %2, where another kernel ran (%1)</source>
        <translation>Fehler beginnen bei %2, wo ein anderer Kernel lief (%1)</translation>
    </message>
    <message>
        <source>Another kernel ran at %2 (%1)</source>
        <translation>Bei %2 lief ein anderer Kernel (%1)</translation>
    </message>
    <message>
        <source>The formats are those of the reference, but another kernel adds up in another order, or rounds elsewhere. In the reference ran %1, here %2. Other kernels ran for %3 tensors.</source>
        <translation>Die Formate sind die der Referenz, aber ein anderer Kernel summiert in anderer Reihenfolge oder rundet an anderer Stelle. In der Referenz lief %1, hier %2. Andere Kernel liefen für %3 Tensoren.</translation>
    </message>
    <message>
        <source>tensors with other kernels</source>
        <translation>Tensoren mit anderen Kerneln</translation>
    </message>
    <message>
        <source>Another kernel</source>
        <translation>Anderer Kernel</translation>
    </message>
    <message>
        <source>The LM head makes most of the error of the logits of %1: %2 after %3 at the final norm</source>
        <translation>Der LM-Head macht den größten Teil des Logit-Fehlers von %1 aus: %2 nach %3 an der letzten Norm</translation>
    </message>
    <message>
        <source>The relative error of the logits is at least %1 times that of the final norm&apos;s output, which the head multiplies.</source>
        <translation>Der relative Fehler der Logits beträgt mindestens das %1-Fache des Fehlers der letzten Norm, deren Ausgabe der Head multipliziert.</translation>
    </message>
    <message>
        <source>final norm</source>
        <translation>letzte Norm</translation>
    </message>
    <message>
        <source>logits</source>
        <translation>Logits</translation>
    </message>
    <message>
        <source>LM head dominates</source>
        <translation>LM-Head dominiert</translation>
    </message>
    <message>
        <source>Error of the logits over that of the final norm</source>
        <translation>Fehler der Logits durch den der letzten Norm</translation>
    </message>
    <message>
        <source>From here on the head is named as the origin</source>
        <translation>Ab hier wird der Head als Ursprung genannt</translation>
    </message>
    <message>
        <source>%1 gives the chosen tokens other log-probabilities than the reference: RMS %2, at most %3, in nats, and %4 of the tokens above %5</source>
        <translation>%1 gibt den gewählten Token andere Log-Wahrscheinlichkeiten als die Referenz: RMS %2, höchstens %3, in nats; %4 der Token liegen über %5</translation>
    </message>
    <message>
        <source>The RMS of the differences is at least %1 nats. A difference of d multiplies the probability of a token by exp(d): where one engine samples and another trains, their ratio is off by that much before anything is learnt.</source>
        <translation>Das RMS der Differenzen beträgt mindestens %1 nats. Eine Differenz d multipliziert die Wahrscheinlichkeit eines Tokens mit exp(d): Wo eine Engine sampelt und eine andere trainiert, weicht ihr Verhältnis um so viel ab, bevor etwas gelernt ist.</translation>
    </message>
    <message>
        <source>RMS of the differences</source>
        <translation>RMS der Differenzen</translation>
    </message>
    <message>
        <source>mean of the differences</source>
        <translation>Mittel der Differenzen</translation>
    </message>
    <message>
        <source>mean of their magnitudes</source>
        <translation>Mittel ihrer Beträge</translation>
    </message>
    <message>
        <source>largest difference</source>
        <translation>größte Differenz</translation>
    </message>
    <message>
        <source>tokens above epsilon</source>
        <translation>Token über Epsilon</translation>
    </message>
    <message>
        <source>same most likely token</source>
        <translation>gleiches wahrscheinlichstes Token</translation>
    </message>
    <message>
        <source>Log-probabilities that are far off</source>
        <translation>Stark abweichende Log-Wahrscheinlichkeiten</translation>
    </message>
    <message>
        <source>Runs whose log-probabilities of the chosen tokens differ from the reference&apos;s by this much or more, in nats</source>
        <translation>Läufe, deren Log-Wahrscheinlichkeiten der gewählten Token um mindestens so viel von der Referenz abweichen, in nats</translation>
    </message>
    <message>
        <source>The loss of %1 differs by %2: %3 against %4</source>
        <translation>Der Loss von %1 weicht um %2 ab: %3 gegen %4</translation>
    </message>
    <message>
        <source>The loss of %1 is %2; the reference has %3</source>
        <translation>Der Loss von %1 ist %2; die Referenz hat %3</translation>
    </message>
    <message>
        <source>The loss differs from the reference&apos;s by at least %1 of it; from %2 on it counts as broken.</source>
        <translation>Der Loss weicht um mindestens %1 von dem der Referenz ab; ab %2 gilt er als defekt.</translation>
    </message>
    <message>
        <source>loss</source>
        <translation>Loss</translation>
    </message>
    <message>
        <source>loss of the reference</source>
        <translation>Loss der Referenz</translation>
    </message>
    <message>
        <source>change</source>
        <translation>Änderung</translation>
    </message>
    <message>
        <source>Change of the loss</source>
        <translation>Änderung des Loss</translation>
    </message>
    <message>
        <source>Relative change of the loss</source>
        <translation>Relative Änderung des Loss</translation>
    </message>
    <message>
        <source>Losses that differ by this part of the reference&apos;s</source>
        <translation>Losses, die um diesen Teil vom Loss der Referenz abweichen</translation>
    </message>
    <message>
        <source>The reference itself is not finite from %1, by the recorded statistics</source>
        <translation>Schon die Referenz ist ab %1 nicht endlich, laut aufgezeichneter Statistik</translation>
    </message>
    <message>
        <source>The reference itself is not finite from %1: %2 of %3 elements</source>
        <translation>Schon die Referenz ist ab %1 nicht endlich: %2 von %3 Elementen</translation>
    </message>
    <message>
        <source>%1 tensors of the baseline hold NaN or infinite elements. Metrics are over the elements that are finite in both runs, so errors from here on rest on fewer elements.</source>
        <translation>%1 Tensoren der Basis enthalten NaN oder unendliche Elemente. Metriken gelten für die Elemente, die in beiden Läufen endlich sind; Fehler ab hier beruhen also auf weniger Elementen.</translation>
    </message>
    <message>
        <source>%1 tensors of the reference hold NaN or infinite elements. Metrics are over the elements that are finite in both runs, so errors from here on rest on fewer elements, and the cause lies in the model or its input rather than in a variant&apos;s precision.</source>
        <translation>%1 Tensoren der Referenz enthalten NaN oder unendliche Elemente. Metriken gelten für die Elemente, die in beiden Läufen endlich sind; Fehler ab hier beruhen also auf weniger Elementen, und die Ursache liegt im Modell oder seiner Eingabe, nicht in der Präzision einer Variante.</translation>
    </message>
    <message>
        <source>not finite</source>
        <translation>nicht endlich</translation>
    </message>
    <message>
        <source>Reference not finite</source>
        <translation>Referenz nicht endlich</translation>
    </message>
    <message>
        <source>At %1 the relative error of %2 falls from %3 to %4 only because the reference grows from %5 to %6; the absolute error grows from %7 to %8</source>
        <translation>Bei %1 fällt der relative Fehler von %2 nur deshalb von %3 auf %4, weil die Referenz von %5 auf %6 wächst; der absolute Fehler wächst von %7 auf %8</translation>
    </message>
    <message>
        <source>From %1 to here the relative error (RMS) falls and the RMS of the reference rises, each at least %2-fold, while the RMS of the difference rises. Read the absolute error beside the relative one.</source>
        <translation>Von %1 bis hier fällt der relative Fehler (RMS) und steigt das RMS der Referenz, beide mindestens um den Faktor %2, während das RMS der Differenz steigt. Neben dem relativen Fehler ist der absolute zu lesen.</translation>
    </message>
    <message>
        <source>relative error before</source>
        <translation>relativer Fehler vorher</translation>
    </message>
    <message>
        <source>relative error here</source>
        <translation>relativer Fehler hier</translation>
    </message>
    <message>
        <source>RMS of the reference before</source>
        <translation>RMS der Referenz vorher</translation>
    </message>
    <message>
        <source>RMS of the reference here</source>
        <translation>RMS der Referenz hier</translation>
    </message>
    <message>
        <source>RMS of the difference before</source>
        <translation>RMS der Differenz vorher</translation>
    </message>
    <message>
        <source>RMS of the difference here</source>
        <translation>RMS der Differenz hier</translation>
    </message>
    <message>
        <source>Scale hides the error</source>
        <translation>Skala verdeckt den Fehler</translation>
    </message>
    <message>
        <source>Fall of the relative error and rise of the scale</source>
        <translation>Abfall des relativen Fehlers und Anstieg der Skala</translation>
    </message>
    <message>
        <source>not in the first report</source>
        <translation>nicht im ersten Bericht</translation>
    </message>
    <message>
        <source>equal bit for bit</source>
        <translation>bitgleich</translation>
    </message>
    <message>
        <source>equal but for the loss</source>
        <translation>gleich bis auf den Loss</translation>
    </message>
    <message>
        <source>lacks %1 of %2 tensors</source>
        <translation>%1 von %2 Tensoren fehlen</translation>
    </message>
    <message>
        <source>differs from %1 on, in %2 of %3 tensors</source>
        <translation>weicht ab %1 ab, in %2 von %3 Tensoren</translation>
    </message>
    <message>
        <source>no tensor stands out</source>
        <translation>kein Tensor fällt auf</translation>
    </message>
    <message>
        <source>%1, not finite: %2 of %3</source>
        <translation>%1, nicht endlich: %2 von %3</translation>
    </message>
    <message>
        <source>nowhere %1-fold</source>
        <translation>nirgends %1-fach</translation>
    </message>
    <message>
        <source>%1 at %2</source>
        <translation>%1 bei %2</translation>
    </message>
    <message>
        <source>%1 from %2 to %3, most at %4 (%5)</source>
        <translation>%1 von %2 bis %3, v. a. %4 (%5)</translation>
    </message>
    <message>
        <source>not finite from %1 on</source>
        <translation>nicht endlich ab %1</translation>
    </message>
    <message>
        <source>nothing that was tried</source>
        <translation>keine der versuchten</translation>
    </message>
    <message>
        <source>every number equals the reference&apos;s</source>
        <translation>jede Zahl gleicht der der Referenz</translation>
    </message>
    <message>
        <source>every number equals the baseline&apos;s</source>
        <translation>jede Zahl gleicht der der Basis</translation>
    </message>
    <message>
        <source>no call makes a larger error than what it reads and rounding explain</source>
        <translation>kein Aufruf macht einen größeren Fehler, als seine Eingaben und die Rundung erklären</translation>
    </message>
    <message>
        <source>Culprit</source>
        <translation>Verursacher</translation>
    </message>
    <message>
        <source>Tokens</source>
        <translation>Token</translation>
    </message>
    <message>
        <source>Repeatability</source>
        <translation>Wiederholbarkeit</translation>
    </message>
    <message>
        <source>cause: %1</source>
        <translation>Ursache: %1</translation>
    </message>
    <message>
        <source>With %1 alone every logit, and every element of all %2 tensors, is bit-equal to %3 (proved by run &apos;%4&apos;).</source>
        <translation>Allein mit %1 ist jedes Logit und jedes Element aller %2 Tensoren bitgleich mit %3 (belegt durch Lauf „%4“).</translation>
    </message>
    <message>
        <source>With %1 alone every logit is bit-equal to %2 (proved by run &apos;%3&apos;).</source>
        <translation>Allein mit %1 ist jedes Logit bitgleich mit %2 (belegt durch Lauf „%3“).</translation>
    </message>
    <message>
        <source>%1 of %2 tensors differ all the same.</source>
        <translation>%1 von %2 Tensoren weichen trotzdem ab.</translation>
    </message>
    <message>
        <source>cause of the first difference: %1. With %2 alone %3 is bit-equal to %4 (proved by run &apos;%5&apos;).</source>
        <translation>Ursache der ersten Abweichung: %1. Allein mit %2 ist %3 bitgleich mit %4 (belegt durch Lauf „%5“).</translation>
    </message>
    <message>
        <source>No single change makes all logits equal; most of them are with %1 (%2).</source>
        <translation>Keine einzelne Änderung macht alle Logits gleich; die meisten sind es mit %1 (%2).</translation>
    </message>
    <message>
        <source>Not finite from step %1 on: first %2</source>
        <translation>Nicht endlich ab Schritt %1: zuerst %2</translation>
    </message>
    <message>
        <source>Of the tensors that were finite at every step before, the first in order of execution. %1 more begin at the same step in this pass.</source>
        <translation>Von den Tensoren, die in allen Schritten davor endlich waren, der erste in der Reihenfolge der Ausführung. %1 weitere beginnen in diesem Durchlauf beim selben Schritt.</translation>
    </message>
    <message>
        <source>A spike begins at step %1: the norm of %2 is %3, %4 times what it was</source>
        <translation>Bei Schritt %1 beginnt ein Ausreißer: Die Norm von %2 ist %3, das %4-Fache von zuvor</translation>
    </message>
    <message>
        <source>The norm is more than %1 times the median of the steps before, %2. It is the first such tensor in order of execution; %3 more begin at the same step in this pass.</source>
        <translation>Die Norm ist mehr als das %1-Fache des Medians der Schritte davor, %2. Es ist der erste solche Tensor in der Reihenfolge der Ausführung; %3 weitere beginnen in diesem Durchlauf beim selben Schritt.</translation>
    </message>
    <message>
        <source>norm</source>
        <translation>Norm</translation>
    </message>
    <message>
        <source>median before</source>
        <translation>Median davor</translation>
    </message>
    <message>
        <source>Spike over the steps</source>
        <translation>Ausreißer über die Schritte</translation>
    </message>
    <message>
        <source>Norm over the median of the steps before</source>
        <translation>Norm geteilt durch den Median der Schritte davor</translation>
    </message>
    <message>
        <source>Norms of healthy runs go up and down by a factor of two or three between batches</source>
        <translation>Normen gesunder Läufe schwanken zwischen Batches um den Faktor zwei oder drei</translation>
    </message>
    <message>
        <source>no call makes NaN or infinity of finite numbers</source>
        <translation>kein Aufruf macht aus endlichen Zahlen NaN oder Unendlich</translation>
    </message>
    <message>
        <source>%1 needs the elements of both sides</source>
        <translation>%1 braucht die Elemente beider Seiten</translation>
    </message>
    <message>
        <source>The row holds nothing that the rules ask for</source>
        <translation>Die Zeile enthält nichts, wonach die Regeln fragen</translation>
    </message>
    <message>
        <source>No rule is about the row</source>
        <translation>Keine Regel betrifft die Zeile</translation>
    </message>
    <message>
        <source>%1 does not hold: NaN, or infinity on one side alone</source>
        <translation>%1 gilt nicht: NaN, oder unendlich nur auf einer Seite</translation>
    </message>
    <message>
        <source>%1 does not hold: %2</source>
        <translation>%1 gilt nicht: %2</translation>
    </message>
    <message>
        <source>Of %1 rules %2 could not be asked: the row does not hold their metric</source>
        <translation>Von %1 Regeln konnten %2 nicht gefragt werden: Die Zeile enthält ihre Metrik nicht</translation>
    </message>
    <message>
        <source>different</source>
        <translation>verschieden</translation>
    </message>
    <message>
        <source>steepest factor</source>
        <translation>steilster Faktor</translation>
    </message>
    <message>
        <source>not finite before</source>
        <translation>nicht endlich davor</translation>
    </message>
    <message>
        <source>not finite after</source>
        <translation>nicht endlich danach</translation>
    </message>
    <message>
        <source>error before</source>
        <translation>Fehler davor</translation>
    </message>
    <message>
        <source>error after</source>
        <translation>Fehler danach</translation>
    </message>
    <message>
        <source>equal tensors before it</source>
        <translation>gleiche Tensoren davor</translation>
    </message>
    <message>
        <source>tensors that differ</source>
        <translation>abweichende Tensoren</translation>
    </message>
    <message>
        <source>KL that rounding accounts for</source>
        <translation>KL, die Rundung erklärt</translation>
    </message>
    <message>
        <source>tensors not finite</source>
        <translation>Tensoren nicht endlich</translation>
    </message>
    <message>
        <source>largest input</source>
        <translation>größte Eingabe</translation>
    </message>
    <message>
        <source>the rotary tables, whose frequencies (inv_freq) precision.cast: module rounds</source>
        <translation>die Rotary-Tabellen, deren Frequenzen (inv_freq) precision.cast: module rundet</translation>
    </message>
    <message>
        <source>the frequencies kept in float32</source>
        <translation>Frequenzen in float32</translation>
    </message>
    <message>
        <source>the formats at %1</source>
        <translation>die Formate bei %1</translation>
    </message>
    <message>
        <source>%1 (%2 → %3 %)</source>
        <translation>%1 (%2 → %3 %)</translation>
    </message>
    <message>
        <source>an unknown amount</source>
        <translation>einen unbekannten Betrag</translation>
    </message>
    <message>
        <source>%1 holds NaN or infinity where the baseline has numbers</source>
        <translation>%1 enthält NaN oder Unendlich, wo die Basis Zahlen hat</translation>
    </message>
    <message>
        <source>%1 holds numbers where the baseline has NaN or infinity</source>
        <translation>%1 enthält Zahlen, wo die Basis NaN oder Unendlich hat</translation>
    </message>
    <message>
        <source>%1 holds another NaN or infinity than the baseline</source>
        <translation>%1 enthält ein anderes NaN oder Unendlich als die Basis</translation>
    </message>
    <message>
        <source>%1 holds numbers where the baseline has zeros alone</source>
        <translation>%1 enthält Zahlen, wo die Basis nur Nullen hat</translation>
    </message>
    <message>
        <source>%1 differs by %2</source>
        <translation>%1 weicht um %2 ab</translation>
    </message>
    <message>
        <source>%1, while what was recorded before agrees: made between the calls that were recorded</source>
        <translation>%1, während alles davor Aufgezeichnete übereinstimmt: entstanden zwischen den aufgezeichneten Aufrufen</translation>
    </message>
    <message>
        <source>%1, while what was recorded before differs by at most %2: made between the calls that were recorded</source>
        <translation>%1, während alles davor Aufgezeichnete um höchstens %2 abweicht: entstanden zwischen den aufgezeichneten Aufrufen</translation>
    </message>
    <message>
        <source>its argument %1 is %2 instead of %3</source>
        <translation>sein Argument %1 ist %2 statt %3</translation>
    </message>
    <message>
        <source>its parameter %1</source>
        <translation>sein Parameter %1</translation>
    </message>
    <message>
        <source>its input %1</source>
        <translation>seine Eingabe %1</translation>
    </message>
    <message>
        <source>%1, and nothing recorded has made it</source>
        <translation>%1, und kein aufgezeichneter Aufruf hat diesen Tensor erzeugt</translation>
    </message>
    <message>
        <source>%1, and what it read is finite where the baseline&apos;s is</source>
        <translation>%1, und was der Aufruf gelesen hat, ist endlich, wo es das der Basis ist</translation>
    </message>
    <message>
        <source>%1, and what it read is finite</source>
        <translation>%1, und was der Aufruf gelesen hat, ist endlich</translation>
    </message>
    <message>
        <source>%1 where at most %2 came in</source>
        <translation>%1; hereingekommen sind höchstens %2</translation>
    </message>
    <message>
        <source>its inputs were not recorded</source>
        <translation>seine Eingaben wurden nicht aufgezeichnet</translation>
    </message>
    <message>
        <source>its inputs agree in their statistics, which cannot tell elements that changed places</source>
        <translation>seine Eingaben stimmen in ihren Statistiken überein, die vertauschte Elemente nicht erkennen lassen</translation>
    </message>
    <message>
        <source>what made the tensor was not recorded</source>
        <translation>was den Tensor erzeugt hat, wurde nicht aufgezeichnet</translation>
    </message>
    <message>
        <source>far beyond what rounding and carried errors account for</source>
        <translation>weit mehr, als Rundung und mitgebrachte Fehler erklären</translation>
    </message>
    <message>
        <source>not far beyond the %1 that rounding and carried errors account for</source>
        <translation>nicht weit mehr als %1, die Rundung und mitgebrachte Fehler erklären</translation>
    </message>
    <message>
        <source>low</source>
        <translation>niedrig</translation>
    </message>
    <message>
        <source>medium</source>
        <translation>mittel</translation>
    </message>
    <message>
        <source>high</source>
        <translation>hoch</translation>
    </message>
    <message>
        <source>the root of a negative number</source>
        <translation>die Wurzel einer negativen Zahl</translation>
    </message>
    <message>
        <source>the logarithm of a negative number</source>
        <translation>der Logarithmus einer negativen Zahl</translation>
    </message>
    <message>
        <source>a division by 0</source>
        <translation>eine Division durch 0</translation>
    </message>
    <message>
        <source>a division by 0 or by a number near it</source>
        <translation>eine Division durch 0 oder durch eine Zahl nahe 0</translation>
    </message>
    <message>
        <source>puts out NaN, and what it read is finite: %1</source>
        <translation>gibt NaN aus, und was er gelesen hat, ist endlich: %1</translation>
    </message>
    <message>
        <source>puts out NaN; among what it read, infinities stand for a mask: a row that is masked as a whole has no sum to divide by</source>
        <translation>gibt NaN aus; in dem, was er gelesen hat, stehen Unendlich-Werte für eine Maske: eine ganz maskierte Zeile hat keine Summe, durch die geteilt werden könnte</translation>
    </message>
    <message>
        <source>puts out NaN; among what it read, infinities stand for a mask: a difference of infinities, or 0 times infinity</source>
        <translation>gibt NaN aus; in dem, was er gelesen hat, stehen Unendlich-Werte für eine Maske: eine Differenz von Unendlich-Werten oder 0 mal Unendlich</translation>
    </message>
    <message>
        <source>its input %1 holds NaN, and everything that was recorded before is finite</source>
        <translation>seine Eingabe %1 enthält NaN, und alles davor Aufgezeichnete ist endlich</translation>
    </message>
    <message>
        <source>its input %1 holds infinity, and everything that was recorded before is finite</source>
        <translation>seine Eingabe %1 enthält Unendlich, und alles davor Aufgezeichnete ist endlich</translation>
    </message>
    <message>
        <source>its parameter %1 holds NaN, and nothing recorded has made it</source>
        <translation>sein Parameter %1 enthält NaN, und kein aufgezeichneter Aufruf hat das erzeugt</translation>
    </message>
    <message>
        <source>its parameter %1 holds infinity, and nothing recorded has made it</source>
        <translation>sein Parameter %1 enthält Unendlich, und kein aufgezeichneter Aufruf hat das erzeugt</translation>
    </message>
    <message>
        <source>its incoming gradient %1 holds NaN, and everything that was recorded before is finite</source>
        <translation>sein eingehender Gradient %1 enthält NaN, und alles davor Aufgezeichnete ist endlich</translation>
    </message>
    <message>
        <source>its incoming gradient %1 holds infinity, and everything that was recorded before is finite</source>
        <translation>sein eingehender Gradient %1 enthält Unendlich, und alles davor Aufgezeichnete ist endlich</translation>
    </message>
    <message>
        <source>%1 of 0; %2 holds %3 to %4</source>
        <translation>%1 von 0; %2 enthält %3 bis %4</translation>
    </message>
    <message>
        <source>%1; %2 holds %3 to %4</source>
        <translation>%1; %2 enthält %3 bis %4</translation>
    </message>
    <message>
        <source>an infinity on the way (Inf − Inf, 0 · Inf), 0 / 0, or memory that nobody wrote</source>
        <translation>ein Unendlich unterwegs (Inf − Inf, 0 · Inf), 0 / 0 oder Speicher, den niemand beschrieben hat</translation>
    </message>
    <message>
        <source>puts out infinity, and what it read is finite: %1</source>
        <translation>gibt Unendlich aus, und was er gelesen hat, ist endlich: %1</translation>
    </message>
    <message>
        <source>puts out infinity, and what it read is finite: a result beyond %1, the largest %2</source>
        <translation>gibt Unendlich aus, und was er gelesen hat, ist endlich: ein Ergebnis über %1, der größten Zahl von %2</translation>
    </message>
    <message>
        <source>puts out infinity, and what it read is finite: a result beyond the largest number of its format</source>
        <translation>gibt Unendlich aus, und was er gelesen hat, ist endlich: ein Ergebnis über der größten Zahl seines Formats</translation>
    </message>
    <message>
        <source>%1; the largest number that it read is %2</source>
        <translation>%1; die größte gelesene Zahl ist %2</translation>
    </message>
    <message>
        <source>torch.use_deterministic_algorithms(True)</source>
        <translation>torch.use_deterministic_algorithms(True)</translation>
    </message>
    <message>
        <source>there is no deterministic kernel on CUDA: torch.use_deterministic_algorithms(True) refuses it; compute it on the CPU or in another way</source>
        <translation>auf CUDA gibt es keinen deterministischen Kernel: torch.use_deterministic_algorithms(True) verweigert ihn; auf der CPU oder auf andere Weise rechnen</translation>
    </message>
    <message>
        <source>torch.backends.cudnn.deterministic = True and torch.backends.cudnn.benchmark = False</source>
        <translation>torch.backends.cudnn.deterministic = True und torch.backends.cudnn.benchmark = False</translation>
    </message>
    <message>
        <source>all_reduce, reduce_scatter</source>
        <translation>all_reduce, reduce_scatter</translation>
    </message>
    <message>
        <source>adds what the ranks send in an order that the algorithm (ring, tree), the number of channels and the network decide</source>
        <translation>summiert, was die Ränge senden, in einer Reihenfolge, die vom Algorithmus (Ring, Tree), der Zahl der Kanäle und dem Netz abhängt</translation>
    </message>
    <message>
        <source>NCCL_ALGO=Ring and NCCL_PROTO=Simple on the same ranks and nodes (HCCL_DETERMINISTIC=true on Ascend)</source>
        <translation>NCCL_ALGO=Ring und NCCL_PROTO=Simple auf denselben Rängen und Knoten (HCCL_DETERMINISTIC=true auf Ascend)</translation>
    </message>
    <message>
        <source>scatter, scatter_add, scatter_reduce</source>
        <translation>scatter, scatter_add, scatter_reduce</translation>
    </message>
    <message>
        <source>adds, or overwrites, with atomics on CUDA, in any order</source>
        <translation>addiert oder überschreibt auf CUDA mit atomaren Operationen in beliebiger Reihenfolge</translation>
    </message>
    <message>
        <source>index_add, index_copy, index_put, x[i] = y</source>
        <translation>index_add, index_copy, index_put, x[i] = y</translation>
    </message>
    <message>
        <source>writes to repeated indices in any order</source>
        <translation>schreibt auf wiederholte Indizes in beliebiger Reihenfolge</translation>
    </message>
    <message>
        <source>put_</source>
        <translation>put_</translation>
    </message>
    <message>
        <source>gather, index_select, x[i], repeat_interleave, backward</source>
        <translation>gather, index_select, x[i], repeat_interleave, rückwärts</translation>
    </message>
    <message>
        <source>adds the gradients of repeated indices with atomics</source>
        <translation>addiert die Gradienten wiederholter Indizes mit atomaren Operationen</translation>
    </message>
    <message>
        <source>embedding, backward</source>
        <translation>embedding, rückwärts</translation>
    </message>
    <message>
        <source>adds the gradients of equal tokens in any order on CUDA</source>
        <translation>addiert auf CUDA die Gradienten gleicher Token in beliebiger Reihenfolge</translation>
    </message>
    <message>
        <source>fused attention, backward</source>
        <translation>fusionierte Attention, rückwärts</translation>
    </message>
    <message>
        <source>adds the gradients of query blocks with atomics (flash and memory-efficient kernels)</source>
        <translation>addiert die Gradienten von Query-Blöcken mit atomaren Operationen (Flash- und speichersparende Kernel)</translation>
    </message>
    <message>
        <source>torch.use_deterministic_algorithms(True); flash_attn_func(…, deterministic=True); or torch.nn.attention.sdpa_kernel(SDPBackend.MATH)</source>
        <translation>torch.use_deterministic_algorithms(True); flash_attn_func(…, deterministic=True); oder torch.nn.attention.sdpa_kernel(SDPBackend.MATH)</translation>
    </message>
    <message>
        <source>cumsum</source>
        <translation>cumsum</translation>
    </message>
    <message>
        <source>adds blocks of floating-point numbers in any order on CUDA</source>
        <translation>addiert auf CUDA Blöcke von Gleitkommazahlen in beliebiger Reihenfolge</translation>
    </message>
    <message>
        <source>torch.use_deterministic_algorithms(True), which refuses it where there is no deterministic kernel; compute it on the CPU or in integers</source>
        <translation>torch.use_deterministic_algorithms(True), das sie ohne deterministischen Kernel verweigert; auf der CPU oder in ganzen Zahlen rechnen</translation>
    </message>
    <message>
        <source>bincount, histc, kthvalue, median</source>
        <translation>bincount, histc, kthvalue, median</translation>
    </message>
    <message>
        <source>counts or chooses with atomics on CUDA</source>
        <translation>zählt oder wählt auf CUDA mit atomaren Operationen</translation>
    </message>
    <message>
        <source>nll_loss, ctc_loss</source>
        <translation>nll_loss, ctc_loss</translation>
    </message>
    <message>
        <source>adds with atomics on CUDA</source>
        <translation>addiert auf CUDA mit atomaren Operationen</translation>
    </message>
    <message>
        <source>interpolate, grid_sample, backward</source>
        <translation>interpolate, grid_sample, rückwärts</translation>
    </message>
    <message>
        <source>adds the gradients of neighbouring points with atomics on CUDA</source>
        <translation>addiert auf CUDA die Gradienten benachbarter Punkte mit atomaren Operationen</translation>
    </message>
    <message>
        <source>pooling, backward</source>
        <translation>Pooling, rückwärts</translation>
    </message>
    <message>
        <source>adds the gradients of windows that overlap with atomics on CUDA</source>
        <translation>addiert auf CUDA die Gradienten überlappender Fenster mit atomaren Operationen</translation>
    </message>
    <message>
        <source>max_unpool</source>
        <translation>max_unpool</translation>
    </message>
    <message>
        <source>reflection and replication padding, backward</source>
        <translation>Padding mit Spiegelung und Wiederholung, rückwärts</translation>
    </message>
    <message>
        <source>adds the gradients of repeated elements with atomics on CUDA</source>
        <translation>addiert auf CUDA die Gradienten wiederholter Elemente mit atomaren Operationen</translation>
    </message>
    <message>
        <source>convolution</source>
        <translation>Faltung</translation>
    </message>
    <message>
        <source>is computed by the algorithm that cuDNN finds fastest</source>
        <translation>wird mit dem Algorithmus berechnet, den cuDNN am schnellsten findet</translation>
    </message>
    <message>
        <source>random numbers</source>
        <translation>Zufallszahlen</translation>
    </message>
    <message>
        <source>depends on the state of the generator</source>
        <translation>hängt vom Zustand des Generators ab</translation>
    </message>
    <message>
        <source>torch.manual_seed(…) before the step, and the same order of draws</source>
        <translation>torch.manual_seed(…) vor dem Schritt und dieselbe Reihenfolge der Ziehungen</translation>
    </message>
    <message>
        <source>memory that nobody wrote</source>
        <translation>Speicher, den niemand beschrieben hat</translation>
    </message>
    <message>
        <source>holds whatever was there</source>
        <translation>enthält, was gerade dort stand</translation>
    </message>
    <message>
        <source>torch.use_deterministic_algorithms(True), which fills it (torch.utils.deterministic.fill_uninitialized_memory)</source>
        <translation>torch.use_deterministic_algorithms(True), das ihn füllt (torch.utils.deterministic.fill_uninitialized_memory)</translation>
    </message>
    <message>
        <source>sort, topk</source>
        <translation>sort, topk</translation>
    </message>
    <message>
        <source>puts equal elements in any order unless it is stable</source>
        <translation>ordnet gleiche Elemente beliebig, sofern sie nicht stabil ist</translation>
    </message>
    <message>
        <source>torch.sort(…, stable=True)</source>
        <translation>torch.sort(…, stable=True)</translation>
    </message>
    <message>
        <source>matrix products</source>
        <translation>Matrixprodukte</translation>
    </message>
    <message>
        <source>may split a sum in another way where cuBLAS shares its workspace among streams</source>
        <translation>kann eine Summe anders aufteilen, wo cuBLAS seinen Arbeitsspeicher zwischen Streams teilt</translation>
    </message>
    <message>
        <source>CUBLAS_WORKSPACE_CONFIG=:4096:8 in the environment</source>
        <translation>CUBLAS_WORKSPACE_CONFIG=:4096:8 in der Umgebung</translation>
    </message>
    <message>
        <source>norm %1 instead of %2</source>
        <translation>Norm %1 statt %2</translation>
    </message>
    <message>
        <source>max %1 instead of %2</source>
        <translation>Maximum %1 statt %2</translation>
    </message>
    <message>
        <source>min %1 instead of %2</source>
        <translation>Minimum %1 statt %2</translation>
    </message>
    <message>
        <source>mean %1 instead of %2</source>
        <translation>Mittel %1 statt %2</translation>
    </message>
    <message>
        <source>missing</source>
        <translation>fehlend</translation>
    </message>
    <message>
        <source>statistics differ</source>
        <translation>Statistiken sind verschieden</translation>
    </message>
    <message>
        <source>%1 instead of %2</source>
        <translation>%1 statt %2</translation>
    </message>
    <message>
        <source>its checksum</source>
        <translation>seine Prüfsumme</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>%1 (and %2 more rank)</source>
        <translation>%1 (und %2 weiterer Rang)</translation>
    </message>
    <message>
        <source>%1 (and %2 more ranks)</source>
        <translation>%1 (und %2 weitere Ränge)</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1, %2</translation>
    </message>
    <message>
        <source>step %1</source>
        <translation>Schritt %1</translation>
    </message>
    <message>
        <source>sample %1</source>
        <translation>Stichprobe %1</translation>
    </message>
    <message>
        <source>token %1</source>
        <translation>Token %1</translation>
    </message>
    <message>
        <source>position %1</source>
        <translation>Position %1</translation>
    </message>
    <message>
        <source>rank %1</source>
        <translation>Rang %1</translation>
    </message>
    <message>
        <source>%1: the first token of this run whose logits fail</source>
        <translation>%1: das erste Token dieses Laufs, dessen Logits nicht bestehen</translation>
    </message>
    <message>
        <source>The chosen token changes from %1 to %2</source>
        <translation>Das gewählte Token ändert sich von %1 zu %2</translation>
    </message>
    <message>
        <source>The chosen token stays %1</source>
        <translation>Das gewählte Token bleibt %1</translation>
    </message>
    <message>
        <source>Its logits are not finite</source>
        <translation>Seine Logits sind nicht endlich</translation>
    </message>
    <message>
        <source>Where the error of %1 starts, at position %2 of its network; sureness %3: %4</source>
        <translation>Wo der Fehler von %1 beginnt, an Position %2 seines Netzes; Sicherheit %3: %4</translation>
    </message>
    <message>
        <source>%1, here</source>
        <translation>%1, hier</translation>
    </message>
    <message>
        <source>%1, %2 call before</source>
        <translation>%1, %2 Aufruf davor</translation>
    </message>
    <message>
        <source>%1, %2 calls before</source>
        <translation>%1, %2 Aufrufe davor</translation>
    </message>
    <message>
        <source>%1 calls</source>
        <translation>%1 Aufrufe</translation>
    </message>
    <message>
        <source>what it put out agrees</source>
        <translation>die Ausgaben stimmen überein</translation>
    </message>
    <message>
        <source>%1 (%2): %3; %4</source>
        <translation>%1 (%2): %3; %4</translation>
    </message>
    <message>
        <source>Sureness %1: %2</source>
        <translation>Sicherheit %1: %2</translation>
    </message>
    <message>
        <source>%1. %2</source>
        <translation>%1. %2</translation>
    </message>
    <message>
        <source>%1: the first tensor that differs between runs of the same calls</source>
        <translation>%1: der erste Tensor, der zwischen Läufen mit denselben Aufrufen abweicht</translation>
    </message>
    <message>
        <source>Known to be non-deterministic, at it or before: %1</source>
        <translation>Als nicht deterministisch bekannt, dort oder davor: %1</translation>
    </message>
    <message>
        <source>%1: not equal on the ranks of the baseline, which should hold it alike</source>
        <translation>%1: nicht gleich auf den Rängen der Basis, die es gleich enthalten sollten</translation>
    </message>
    <message>
        <source>%1: not equal on the ranks of the candidate, which should hold it alike</source>
        <translation>%1: nicht gleich auf den Rängen des Kandidaten, die es gleich enthalten sollten</translation>
    </message>
    <message>
        <source>%1; the first in order of execution; healthy ranks may differ in all of them: gradients that are not summed up yet, functions inside of parallel layers, and what data-parallel ranks make of their own data</source>
        <translation>%1; der erste in Ausführungsreihenfolge; gesunde Ränge dürfen in allen davon abweichen: Gradienten, die noch nicht summiert sind, Funktionen innerhalb paralleler Schichten und was datenparallele Ränge aus ihren eigenen Daten machen</translation>
    </message>
    <message>
        <source>%1; the first in order of execution; if they are shards, a rule of &apos;shards&apos; says so</source>
        <translation>%1; der erste in Ausführungsreihenfolge; sind es Shards, so sagt das eine Regel unter „shards“</translation>
    </message>
    <message>
        <source>Not finite from %1 on</source>
        <translation>Nicht endlich ab %1</translation>
    </message>
    <message>
        <source>%1; what the other ranks put in accounts for none of it, so that the communication itself, or the order in which it adds, made the error</source>
        <translation>%1; die Eingaben der anderen Ränge erklären nichts davon, also hat die Kommunikation selbst oder die Reihenfolge ihrer Additionen den Fehler gemacht</translation>
    </message>
    <message>
        <source>received from %1, whose %2 holds NaN or infinity</source>
        <translation>empfangen von %1; %2 dort enthält NaN oder Unendlich</translation>
    </message>
    <message>
        <source>received from %1, whose %2 differs</source>
        <translation>empfangen von %1; %2 dort weicht ab</translation>
    </message>
    <message>
        <source>received from %1, whose %2 differs by %3</source>
        <translation>empfangen von %1; %2 dort weicht um %3 ab</translation>
    </message>
    <message>
        <source>its own inputs do not account for it, and those of the other rank do</source>
        <translation>die eigenen Eingaben erklären es nicht, die des anderen Rangs schon</translation>
    </message>
    <message>
        <source>%1; no single call there makes that error</source>
        <translation>%1; dort macht kein einzelner Aufruf diesen Fehler</translation>
    </message>
    <message>
        <source>%1; it starts on %2 at %3: %4</source>
        <translation>%1; er beginnt auf %2 bei %3: %4</translation>
    </message>
    <message>
        <source>%1: %2 of %3 elements differ from those of %4</source>
        <translation>%1: %2 von %3 Elementen sind anders als auf %4</translation>
    </message>
    <message>
        <source>%1 and %2 more</source>
        <translation>%1 und %2 weitere</translation>
    </message>
    <message>
        <source>%1 tensors are compared with two dimensions exchanged ([T, B, …] and [B, T, …]), as the other side holds them: %2; &apos;exchanged&apos; of the mapping can say otherwise</source>
        <translation>%1 Tensoren werden mit zwei vertauschten Dimensionen verglichen ([T, B, …] und [B, T, …]), wie die andere Seite sie enthält: %2; „exchanged“ der Zuordnung kann es anders festlegen</translation>
    </message>
    <message>
        <source>%1 tensors have two dimensions that are equally long, and nothing tells whether both sides hold them in the same order: %2 are compared as they are; &apos;exchanged&apos; of the mapping can say otherwise</source>
        <translation>%1 Tensoren haben zwei gleich lange Dimensionen, und nichts verrät, ob beide Seiten sie in derselben Reihenfolge enthalten: %2 werden verglichen, wie sie sind; „exchanged“ der Zuordnung kann es anders festlegen</translation>
    </message>
    <message>
        <source>%1 parts of fused weights are compared transposed, as the other side holds them; &apos;transposed&apos; of the mapping can say otherwise</source>
        <translation>%1 Teile fusionierter Gewichte werden transponiert verglichen, wie die andere Seite sie enthält; „transposed“ der Zuordnung kann es anders festlegen</translation>
    </message>
    <message>
        <source>%1: its parts agree best when taken from %2 groups, of the layouts that their sizes permit; a rule of &apos;fused&apos; can say otherwise</source>
        <translation>%1: seine Teile stimmen am besten überein, wenn sie aus %2 Gruppen genommen werden, unter den Anordnungen, die ihre Größen zulassen; eine Regel unter „fused“ kann es anders festlegen</translation>
    </message>
    <message>
        <source>the vocabulary has %1 entries here, of which %2 are compared: the last %3 are padding, left out of %4 tensors; &apos;vocabulary&apos; of the mapping can say otherwise</source>
        <translation>das Vokabular hat hier %1 Einträge, von denen %2 verglichen werden: Die letzten %3 sind Auffüllung und in %4 Tensoren weggelassen; „vocabulary“ der Zuordnung kann es anders festlegen</translation>
    </message>
    <message>
        <source>the vocabulary has %1 entries here, of which the last %2 may be padding; they are compared as well, since the hidden size is %1 too</source>
        <translation>das Vokabular hat hier %1 Einträge, von denen die letzten %2 Auffüllung sein können; auch sie werden verglichen, da die Hidden-Größe ebenfalls %1 ist</translation>
    </message>
    <message>
        <source>%1 tensors of all experts are compared expert by expert</source>
        <translation>%1 Tensoren aller Experten werden Experte für Experte verglichen</translation>
    </message>
    <message>
        <source>%1 weights are compared transposed, as the other side holds them: %2; &apos;transposed&apos; of the mapping can say otherwise</source>
        <translation>%1 Gewichte werden transponiert verglichen, wie die andere Seite sie enthält: %2; „transposed“ der Zuordnung kann es anders festlegen</translation>
    </message>
    <message>
        <source>PyTorch and ATB name nothing alike: %1 tensors are paired by the rules of `msit llm compare`; the data of a mapping file pair others (docs/mapping.md)</source>
        <translation>PyTorch und ATB benennen nichts gleich: %1 Tensoren sind nach den Regeln von `msit llm compare` gepaart; die Angaben einer Zuordnungsdatei paaren andere (docs/mapping.md)</translation>
    </message>
    <message>
        <source>%1; %2</source>
        <translation>%1; %2</translation>
    </message>
    <message>
        <source>%1 tensors are not there on every rank, and stay as the first rank has them: %2</source>
        <translation>%1 Tensoren sind nicht auf jedem Rang vorhanden und bleiben, wie der erste Rang sie hat: %2</translation>
    </message>
    <message>
        <source>%1 tensors cannot be put together, and stay as the first rank has them: %2</source>
        <translation>%1 Tensoren lassen sich nicht zusammensetzen und bleiben, wie der erste Rang sie hat: %2</translation>
    </message>
    <message>
        <source>%1 (%2 alone has it)</source>
        <translation>%1 (nur auf %2)</translation>
    </message>
    <message>
        <source>%1 (%2)</source>
        <translation>%1 (%2)</translation>
    </message>
    <message>
        <source>no dimension %1 in %2</source>
        <translation>keine Dimension %1 in %2</translation>
    </message>
    <message>
        <source>%1 is no multiple of the %2 of its parts</source>
        <translation>%1 ist kein Vielfaches der %2 seiner Teile</translation>
    </message>
    <message>
        <source>%1: %2 beside %3</source>
        <translation>%1: %2 neben %3</translation>
    </message>
    <message>
        <source>%1: %2 is there twice; the first one is taken</source>
        <translation>%1: %2 ist doppelt vorhanden; die erste Einheit zählt</translation>
    </message>
    <message>
        <source>%1: %2: rank %3 is missing, so that its tensors cannot be put together; copy its folder</source>
        <translation>%1: %2: Rang %3 fehlt, sodass sich die Tensoren nicht zusammensetzen lassen; den Ordner dieses Rangs kopieren</translation>
    </message>
    <message>
        <source>the dump</source>
        <translation>der Dump</translation>
    </message>
    <message>
        <source>%1: has experts with numbers from %2 up, which are taken for the whole model&apos;s; leave &apos;experts&apos; out if all are</source>
        <translation>%1: hat Experten mit Nummern ab %2, die als Nummern des ganzen Modells gelten; „experts“ weglassen, wenn das für alle gilt</translation>
    </message>
    <message>
        <source>%1: no module says its chunk; in a list of models, paths begin with its number, as in 1.module.decoder</source>
        <translation>%1: kein Modul nennt seinen Chunk; in einer Liste von Modellen beginnen Pfade mit dessen Nummer, wie in 1.module.decoder</translation>
    </message>
    <message>
        <source>baseline: %1</source>
        <translation>Basis: %1</translation>
    </message>
    <message>
        <source>candidate: %1</source>
        <translation>Kandidat: %1</translation>
    </message>
    <message>
        <source>Depends on the batch from %2 on: %3 of %4 tensors differ (%1)</source>
        <translation>Hängt ab %2 vom Batch ab: %3 von %4 Tensoren weichen ab (%1)</translation>
    </message>
    <message>
        <source>largest relative error</source>
        <translation>größter relativer Fehler</translation>
    </message>
    <message>
        <source>largest difference of the logits</source>
        <translation>größte Differenz der Logits</translation>
    </message>
    <message>
        <source>positions with another token</source>
        <translation>Positionen mit anderem Token</translation>
    </message>
    <message>
        <source>Does not depend on the batch: all %2 tensors are equal (%1)</source>
        <translation>Hängt nicht vom Batch ab: alle %2 Tensoren sind gleich (%1)</translation>
    </message>
    <message>
        <source>Every number is the reference&apos;s, bit for bit but for the sign of zeros, whatever was computed beside the compared sequences.</source>
        <translation>Jede Zahl ist die der Referenz, bitgleich bis auf das Vorzeichen von Nullen, was auch neben den verglichenen Sequenzen berechnet wurde.</translation>
    </message>
    <message>
        <source>The reference does not repeat its numbers from %2 on (%1)</source>
        <translation>Die Referenz wiederholt ihre Zahlen ab %2 nicht (%1)</translation>
    </message>
    <message>
        <source>Nothing is set otherwise, and %1 of %2 tensors differ. What differs with the batch as well may be this and not the batch: runtime.deterministic takes kernels that repeat their numbers.</source>
        <translation>Nichts ist anders eingestellt, und doch weichen %1 von %2 Tensoren ab. Was auch mit dem Batch abweicht, kann hieran liegen und nicht am Batch: runtime.deterministic nimmt Kernel, die ihre Zahlen wiederholen.</translation>
    </message>
    <message>
        <source>Batch invariance</source>
        <translation>Batch-Invarianz</translation>
    </message>
    <message>
        <source>Formats, chosen kernels and the compared sequences are the reference&apos;s. What is computed beside them differs: other sequences, padding, or pieces. Another shape takes another kernel or divides its sums otherwise, and additions come in another order. The largest relative error is %1.</source>
        <translation>Formate, gewählte Kernel und die verglichenen Sequenzen sind die der Referenz. Anders ist, was daneben berechnet wird: weitere Sequenzen, Padding oder Stücke. Eine andere Form nimmt einen anderen Kernel oder teilt ihre Summen anders, und es wird in anderer Reihenfolge addiert. Der größte relative Fehler ist %1.</translation>
    </message>
    <message>
        <source>Formats, chosen kernels and the compared sequences are the reference&apos;s. What is computed beside them differs: other sequences, padding, or pieces. Another shape takes another kernel or divides its sums otherwise, and additions come in another order. The largest relative error is %1; logits differ by up to %2, and at %3 of %4 positions another token is the most likely.</source>
        <translation>Formate, gewählte Kernel und die verglichenen Sequenzen sind die der Referenz. Anders ist, was daneben berechnet wird: weitere Sequenzen, Padding oder Stücke. Eine andere Form nimmt einen anderen Kernel oder teilt ihre Summen anders, und es wird in anderer Reihenfolge addiert. Der größte relative Fehler ist %1; Logits weichen um bis zu %2 ab, und an %3 von %4 Positionen ist ein anderes Token das wahrscheinlichste.</translation>
    </message>
    <message>
        <source>%2 chooses other experts for %3 of the tokens (%1)</source>
        <translation>%2 wählt für %3 der Token andere Experten (%1)</translation>
    </message>
    <message>
        <source>%2 chooses other experts for %3 of the tokens, whose error is %4 × that of the others (%1)</source>
        <translation>%2 wählt für %3 der Token andere Experten; deren Fehler ist %4 × so groß wie der der übrigen (%1)</translation>
    </message>
    <message>
        <source>No layer has a larger share. Over all layers it is %1. A token whose last chosen expert scores hardly more than the first one that is not chosen takes another one after the smallest error, and its output is then that of other weights: the margins of half of these tokens are at most %2. A router in float32 rounds less; errors that reach its input stay.</source>
        <translation>Keine Schicht hat einen größeren Anteil. Über alle Schichten ist er %1. Ein Token, dessen letzter gewählter Experte kaum mehr Punkte hat als der erste nicht gewählte, nimmt schon beim kleinsten Fehler einen anderen, und seine Ausgabe ist dann die anderer Gewichte: Die Hälfte dieser Token hat einen Abstand von höchstens %2. Ein Router in float32 rundet weniger; Fehler, die seinen Eingang erreichen, bleiben.</translation>
    </message>
    <message>
        <source>flipped tokens at this layer</source>
        <translation>gekippte Token in dieser Schicht</translation>
    </message>
    <message>
        <source>flipped tokens of all layers</source>
        <translation>gekippte Token aller Schichten</translation>
    </message>
    <message>
        <source>error of flipped tokens</source>
        <translation>Fehler gekippter Token</translation>
    </message>
    <message>
        <source>error of the other tokens</source>
        <translation>Fehler der übrigen Token</translation>
    </message>
    <message>
        <source>Other experts</source>
        <translation>Andere Experten</translation>
    </message>
    <message>
        <source>Flipped tokens at a layer</source>
        <translation>Gekippte Token in einer Schicht</translation>
    </message>
    <message>
        <source>From here on it is more than a note that a router chooses other experts for so many of its tokens</source>
        <translation>Ab hier ist es mehr als ein Hinweis, dass ein Router für so viele seiner Token andere Experten wählt</translation>
    </message>
    <message>
        <source>%1 of its %2 parts are there</source>
        <translation>%1 seiner %2 Teile sind da</translation>
    </message>
    <message>
        <source>its parts are joined in a way that is not known</source>
        <translation>seine Teile werden auf unbekannte Weise zusammengesetzt</translation>
    </message>
    <message>
        <source>%1 beside %2</source>
        <translation>%1 neben %2</translation>
    </message>
    <message>
        <source>it is cut along two dimensions of the mesh; name all its ranks in one group</source>
        <translation>er ist entlang zweier Dimensionen des Gitters der Ränge geteilt; alle seine Ränge in einer Gruppe nennen</translation>
    </message>
    <message>
        <source>two ranks hold the same part of it</source>
        <translation>zwei Ränge haben denselben Teil davon</translation>
    </message>
    <message>
        <source>%1 tensors of several ranks are put together as the shapes of the other side say: %2; &apos;shards&apos; of the mapping can say otherwise</source>
        <translation>%1 Tensoren mehrerer Ränge sind zusammengesetzt, wie es die Formen der anderen Seite sagen: %2; „shards“ der Zuordnung kann es anders festlegen</translation>
    </message>
    <message>
        <source>%1 numbers count what a rank has of the batch, and are not compared: %2</source>
        <translation>%1 Zahlen zählen, was ein Rang vom Batch hat, und werden nicht verglichen: %2</translation>
    </message>
    <message>
        <source>%1 tensors cannot be put together by what their ranks say of them, and are left out: %2</source>
        <translation>%1 Tensoren lassen sich nach dem, was ihre Ränge von ihnen sagen, nicht zusammensetzen und sind ausgelassen: %2</translation>
    </message>
    <message>
        <source>%1 failed: %2</source>
        <translation>%1 ist gescheitert: %2</translation>
    </message>
    <message>
        <source>What is there of it was compared before, and says nothing of the rest. Mend what the message says and go on with the study.</source>
        <translation>Was von ihm da ist, wurde davor verglichen und sagt nichts über den Rest. Beheben Sie, was die Meldung sagt, und setzen Sie die Studie fort.</translation>
    </message>
    <message>
        <source>Failed runs</source>
        <translation>Gescheiterte Läufe</translation>
    </message>
    <message>
        <source>parameters have moved since %1, where gradients hold NaN or infinity</source>
        <translation>Parameter haben sich seit %1 verschoben, wo Gradienten NaN oder unendlich enthalten</translation>
    </message>
    <message>
        <source>parameters have moved since %1, where gradients differ by %2</source>
        <translation>Parameter haben sich seit %1 verschoben, wo Gradienten um %2 abweichen</translation>
    </message>
    <message>
        <source>First divergence at %2, which is 0 in the reference: %3 of what it reads, where %4 came in (%1)</source>
        <translation>Erste Abweichung bei %2, in der Referenz 0: %3 dessen, was es liest, hereingekommen sind %4 (%1)</translation>
    </message>
    <message>
        <source>The first tensor in order of execution whose relative error is more than %1 times the square root of (carried error² + unit round-off²). Carried is the largest error among the tensors that it was made from, as the run recorded them. Here %2 against %3, with the unit round-off of %4. Later tensors that exceed it as well: %5.</source>
        <translation>Der erste Tensor in Ausführungsreihenfolge, dessen relativer Fehler mehr als das %1-Fache der Wurzel aus (mitgebrachter Fehler² + Rundungseinheit²) beträgt. Mitgebracht ist der größte Fehler unter den Tensoren, aus denen er entstand, wie der Lauf sie aufgezeichnet hat. Hier %2 gegen %3, mit der Rundungseinheit von %4. Spätere Tensoren über der Schwelle: %5.</translation>
    </message>
    <message>
        <source>The first tensor in order of execution whose relative error is more than %1 times the square root of (carried error² + unit round-off²). Carried is the largest error among the row before, the last layer&apos;s output, backward the forward tensor of the same name and, of an operation, its inputs, since a report holds no graph. Here %2 against %3, with the unit round-off of %4. Later tensors that exceed it as well: %5.</source>
        <translation>Der erste Tensor in Ausführungsreihenfolge, dessen relativer Fehler mehr als das %1-Fache der Wurzel aus (mitgebrachter Fehler² + Rundungseinheit²) beträgt. Mitgebracht ist der größte Fehler unter der Zeile davor, der Ausgabe der letzten Schicht, rückwärts dem Vorwärtstensor gleichen Namens und bei einer Operation ihren Eingaben; einen Graphen enthält der Bericht nicht. Hier %2 gegen %3, mit der Rundungseinheit von %4. Spätere Tensoren über der Schwelle: %5.</translation>
    </message>
    <message>
        <source>%1 has no gradient for %2, which the reference has</source>
        <translation>%1 hat keinen Gradienten für %2, die Referenz hat ihn</translation>
    </message>
    <message>
        <source>The loss does not depend on these parameters, or they are frozen: in a training they would stay as they are. All else that is said of the run is said of the tensors that it has.</source>
        <translation>Der Loss hängt nicht von diesen Parametern ab, oder sie sind eingefroren: Im Training blieben sie, wie sie sind. Alles andere, was über den Lauf gesagt wird, gilt den Tensoren, die er hat.</translation>
    </message>
    <message>
        <source>gradients that are missing</source>
        <translation>fehlende Gradienten</translation>
    </message>
    <message>
        <source>Missing gradients</source>
        <translation>Fehlende Gradienten</translation>
    </message>
    <message>
        <source> at %1</source>
        <translation> bei %1</translation>
    </message>
    <message>
        <source>%1: %2 (nothing but finite%3)</source>
        <translation>%1: %2 (alles endlich%3)</translation>
    </message>
    <message>
        <source>%1: %2 (not finite%3: %4, was %5)</source>
        <translation>%1: %2 (nicht endlich%3: %4, vorher %5)</translation>
    </message>
    <message>
        <source>%1: %2 (%3%4)</source>
        <translation>%1: %2 (%3%4)</translation>
    </message>
    <message>
        <source>%1 has no gradient</source>
        <translation>%1 hat keinen Gradienten</translation>
    </message>
    <message>
        <source>nowhere beyond the noise floor</source>
        <translation>nirgends über dem Grundrauschen</translation>
    </message>
    <message>
        <source>%1, 0 in the reference (%2 → %3 %)</source>
        <translation>%1, in der Referenz 0 (%2 → %3 %)</translation>
    </message>
    <message>
        <source>stays below %1</source>
        <translation>bleibt unter %1</translation>
    </message>
    <message>
        <source>it failed: %1</source>
        <translation>gescheitert: %1</translation>
    </message>
    <message>
        <source>%1: %2; %3 of %4 tensors hold NaN or infinity</source>
        <translation>%1: %2; %3 von %4 Tensoren enthalten NaN oder Unendlich</translation>
    </message>
    <message>
        <source>No activation and no gradient of one makes an error of its own. This is the first gradient of a parameter, or what an optimizer makes of it, whose error is more than %1 times what they carry: eight times the largest error among them, since sums over all tokens cancel. Here %2 against %3, with the unit round-off of %4. Later tensors that exceed it as well: %5.</source>
        <translation>Keine Aktivierung und kein Gradient einer solchen macht einen eigenen Fehler. Dies ist der erste Gradient eines Parameters, oder was ein Optimierer aus ihm macht, dessen Fehler mehr als das %1-Fache dessen beträgt, was sie mitbringen: das Achtfache des größten Fehlers unter ihnen, da sich Summen über alle Token auslöschen. Hier %2 gegen %3, mit der Rundungseinheit von %4. Spätere Tensoren über der Schwelle: %5.</translation>
    </message>
    <message>
        <source>the formats of the baseline at %1</source>
        <translation>Formatwahl der Basis in %1</translation>
    </message>
    <message>
        <source>With %1 alone every element of all %2 tensors is bit-equal to %3 (proved by run &apos;%4&apos;).</source>
        <translation>Allein mit %1 ist jedes Element aller %2 Tensoren bitgleich mit %3 (belegt durch Lauf „%4“).</translation>
    </message>
    <message>
        <source>No single change makes all tensors equal; most of them are with %1 (%2 of %3).</source>
        <translation>Keine einzelne Änderung macht alle Tensoren gleich; die meisten sind es mit %1 (%2 von %3).</translation>
    </message>
    <message>
        <source>nothing</source>
        <translation>nichts</translation>
    </message>
    <message>
        <source>First divergence at %2, made by another operation: %3 in the reference, %4 here. The error is %5 (%1)</source>
        <translation>Erste Abweichung bei %2, von einer anderen Operation: %3 in der Referenz, %4 hier. Der Fehler ist %5 (%1)</translation>
    </message>
    <message>
        <source>First divergence at %2, since %5 chose other experts for %6 of the tokens: %3 where %4 came in (%1)</source>
        <translation>Erste Abweichung bei %2, da %5 für %6 der Tokens andere Experten wählte: %3, wo %4 hereinkam (%1)</translation>
    </message>
    <message>
        <source>flipped tokens</source>
        <translation>Tokens mit anderen Experten</translation>
    </message>
    <message>
        <source>Gradients of %1 are below the normal numbers of %2, and wrong: at %3, of RMS %4, the error is %5; tensors of this kind: %6. Rounding them explains less, so that a loss scale may not help</source>
        <translation>Gradienten von %1 liegen unter den normalen Zahlen von %2 und sind falsch: bei %3, mit RMS %4, ist der Fehler %5; Tensoren dieser Art: %6. Ihre Rundung erklärt weniger, sodass ein Loss-Scale vielleicht nicht hilft</translation>
    </message>
    <message>
        <source>Gradients whose RMS, times the run&apos;s loss scale, is below the smallest normal number of %1 (%2) and whose error is at least %3. Numbers there are %4 apart, and the RMS of the difference is more than %5 times that: the error comes from what the gradients were made of, such as probabilities that the forward pass rounded to 0, or from gradients that were not kept. A run with a gradient.scale tells these apart.</source>
        <translation>Gradienten, deren RMS mal dem Loss-Scale des Laufs unter der kleinsten normalen Zahl von %1 (%2) liegt und deren Fehler mindestens %3 ist. Zahlen liegen dort %4 auseinander, und der RMS der Differenz ist mehr als das %5-Fache davon: Der Fehler kommt aus dem, woraus die Gradienten gemacht wurden, etwa aus Wahrscheinlichkeiten, die der Vorwärtsdurchlauf auf 0 rundete, oder aus Gradienten, die nicht behalten wurden. Ein Lauf mit gradient.scale unterscheidet dies.</translation>
    </message>
    <message>
        <source>Gradients whose RMS, times the run&apos;s loss scale, is below the smallest normal number of %1 (%2), whose error is at least %3 and no larger than rounding explains: below it digits are lost, and what is smaller still becomes 0. A loss scale multiplies all gradients, which are divided by it before the step. It is the power of two that lifts numbers %4 times smaller than the smallest of these RMS to normal ones, unless %5 times the largest gradient that the report knows would then exceed %6.</source>
        <translation>Gradienten, deren RMS mal dem Loss-Scale des Laufs unter der kleinsten normalen Zahl von %1 (%2) liegt und deren Fehler mindestens %3 und nicht größer ist, als Rundung erklärt: Darunter gehen Stellen verloren, und noch Kleineres wird 0. Ein Loss-Scale multipliziert alle Gradienten, die vor dem Schritt wieder durch ihn geteilt werden. Er ist die Zweierpotenz, die Zahlen, die %4-mal kleiner als der kleinste dieser RMS sind, zu normalen macht, es sei denn, das %5-Fache des größten Gradienten, den der Bericht kennt, überstiege dann %6.</translation>
    </message>
    <message>
        <source>not known: the reference itself is not finite from %1 on</source>
        <translation>unbekannt: die Referenz selbst ist ab %1 nicht endlich</translation>
    </message>
    <message>
        <source>%1, made by another operation (%2 %)</source>
        <translation>%1, von einer anderen Operation (%2 %)</translation>
    </message>
    <message>
        <source>%1, where %2 chose other experts (%3 → %4 %)</source>
        <translation>%1, wo %2 andere Experten wählte (%3 → %4 %)</translation>
    </message>
    <message>
        <source>%1; not judged from %2 on</source>
        <translation>%1; ab %2 nicht beurteilt</translation>
    </message>
    <message>
        <source>not judged from %1 on</source>
        <translation>ab %1 nicht beurteilt</translation>
    </message>
    <message>
        <source>Not finite from %1 on, which %2 reads and nothing recorded made</source>
        <translation>Nicht endlich ab %1, das %2 liest und keine aufgezeichnete Operation erzeugt hat</translation>
    </message>
    <message>
        <source>every number that was compared equals the baseline&apos;s</source>
        <translation>jede Zahl, die verglichen wurde, gleicht der der Basis</translation>
    </message>
    <message>
        <source>the candidate ran the same forward call and has no %1</source>
        <translation>der Kandidat hat denselben Vorwärtsaufruf ausgeführt und hat kein %1</translation>
    </message>
    <message>
        <source>the baseline ran the same forward call and has no %1</source>
        <translation>die Basis hat denselben Vorwärtsaufruf ausgeführt und hat kein %1</translation>
    </message>
    <message>
        <source>of other calls of the same class both sides have it</source>
        <translation>von anderen Aufrufen derselben Klasse haben ihn beide Seiten</translation>
    </message>
    <message>
        <source>there is no other call of its class to compare with</source>
        <translation>es gibt keinen anderen Aufruf seiner Klasse zum Vergleich</translation>
    </message>
    <message>
        <source>%1 is not equal on all ranks of the baseline: %2</source>
        <translation>%1 ist nicht auf allen Rängen der Basis gleich: %2</translation>
    </message>
    <message>
        <source>%1 is not equal on all ranks of the candidate: %2</source>
        <translation>%1 ist nicht auf allen Rängen des Kandidaten gleich: %2</translation>
    </message>
    <message>
        <source>the ranks have other gradients alike, as a sum over them makes them</source>
        <translation>andere Gradienten haben die Ränge gleich, wie eine Summe über sie sie macht</translation>
    </message>
    <message>
        <source>Not compared: %1</source>
        <translation>Nicht verglichen: %1</translation>
    </message>
    <message>
        <source>Neither elements nor statistics nor checksums are on both sides.</source>
        <translation>Weder Elemente noch Statistiken noch Prüfsummen gibt es auf beiden Seiten.</translation>
    </message>
    <message>
        <source>Not readable: %1</source>
        <translation>Nicht lesbar: %1</translation>
    </message>
    <message>
        <source>tensors that were not compared</source>
        <translation>Tensoren, die nicht verglichen wurden</translation>
    </message>
    <message>
        <source>gradients of the candidate are those of a loss times %1: the baseline&apos;s are compared times %1; &apos;loss_scale&apos; of the mapping can say otherwise</source>
        <translation>Gradienten des Kandidaten sind die eines Losses mal %1: Die der Basis werden mal %1 verglichen; „loss_scale“ der Zuordnung kann es anders festlegen</translation>
    </message>
    <message>
        <source>gradients of the baseline are those of a loss times %1: the candidate&apos;s are compared times %1; &apos;loss_scale&apos; of the mapping can say otherwise</source>
        <translation>Gradienten der Basis sind die eines Losses mal %1: Die des Kandidaten werden mal %1 verglichen; „loss_scale“ der Zuordnung kann es anders festlegen</translation>
    </message>
    <message>
        <source>its input %1 is of shape %2 instead of %3, and nothing recorded has made it</source>
        <translation>seine Eingabe %1 hat die Form %2 statt %3, und kein aufgezeichneter Aufruf hat sie erzeugt</translation>
    </message>
    <message>
        <source>%1; tensors before it are of other shapes, so that what came in was not compared</source>
        <translation>%1; Tensoren davor haben andere Formen, so dass nicht verglichen wurde, was hereingekommen ist</translation>
    </message>
    <message>
        <source>rounding changes no shape</source>
        <translation>Rundung ändert keine Form</translation>
    </message>
</context>
<context>
    <name>ulp::app::BaselineBox</name>
    <message>
        <source>Baseline</source>
        <translation>Basis</translation>
    </message>
    <message>
        <source>The run that all others are compared with (B makes it the selected variant)</source>
        <translation>Der Lauf, mit dem alle anderen verglichen werden (B macht die gewählte Variante dazu)</translation>
    </message>
    <message>
        <source>none</source>
        <translation>keine</translation>
    </message>
</context>
<context>
    <name>ulp::app::Breadcrumbs</name>
    <message>
        <source>Selection</source>
        <translation>Auswahl</translation>
    </message>
    <message>
        <source>Baseline; back to the reference</source>
        <translation>Basis; zurück zur Referenz</translation>
    </message>
    <message>
        <source>Variant</source>
        <translation>Variante</translation>
    </message>
    <message>
        <source>Pass</source>
        <translation>Durchlauf</translation>
    </message>
    <message>
        <source>Tensor</source>
        <translation>Tensor</translation>
    </message>
    <message>
        <source>Layer; up to its output</source>
        <translation>Schicht; hinauf zu ihrer Ausgabe</translation>
    </message>
    <message>
        <source>Module</source>
        <translation>Modul</translation>
    </message>
    <message>
        <source>Element; back to the tensor</source>
        <translation>Element; zurück zum Tensor</translation>
    </message>
</context>
<context>
    <name>ulp::app::CandidatesPane</name>
    <message>
        <source>&amp;Add another</source>
        <translation>Weiteren &amp;hinzufügen</translation>
    </message>
    <message>
        <source>&amp;Remove</source>
        <translation>En&amp;tfernen</translation>
    </message>
    <message>
        <source>Candidates</source>
        <translation>Kandidaten</translation>
    </message>
    <message>
        <source>Compare one more dump with the baseline</source>
        <translation>Noch einen Dump mit der Basis vergleichen</translation>
    </message>
    <message>
        <source>Do not compare the selected candidate</source>
        <translation>Den gewählten Kandidaten nicht vergleichen</translation>
    </message>
    <message>
        <source>Nothing chosen yet.</source>
        <translation>Noch nichts gewählt.</translation>
    </message>
</context>
<context>
    <name>ulp::app::CloseQuestion</name>
    <message>
        <source>Stop it and quit</source>
        <translation>Stoppen und beenden</translation>
    </message>
    <message>
        <source>Quit</source>
        <translation>Beenden</translation>
    </message>
    <message>
        <source>Discard edits and quit</source>
        <translation>Verwerfen und beenden</translation>
    </message>
    <message>
        <source>Dumps are being compared. What is finished of that is lost.</source>
        <translation>Dumps werden gerade verglichen. Was davon fertig ist, geht verloren.</translation>
    </message>
    <message numerus="yes">
        <source>%n comparison(s) of dumps will not be made.</source>
        <translation>
            <numerusform>%n Vergleich von Dumps wird nicht ausgeführt.</numerusform>
            <numerusform>%n Vergleiche von Dumps werden nicht ausgeführt.</numerusform>
        </translation>
    </message>
    <message>
        <source>A study is running. What it has finished stays in its run folder.</source>
        <translation>Eine Studie läuft. Was davon fertig ist, bleibt in ihrem Laufordner.</translation>
    </message>
    <message numerus="yes">
        <source>%n study(s) in the queue will not be run.</source>
        <translation>
            <numerusform>%n Studie in der Warteschlange wird nicht ausgeführt.</numerusform>
            <numerusform>%n Studien in der Warteschlange werden nicht ausgeführt.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n study(s) in the queue will wait for the next start.</source>
        <translation>
            <numerusform>%n Studie in der Warteschlange wartet bis zum nächsten Start.</numerusform>
            <numerusform>%n Studien in der Warteschlange warten bis zum nächsten Start.</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 has edits that are not saved.</source>
        <translation>%1 enthält nicht gespeicherte Änderungen.</translation>
    </message>
    <message>
        <source>The new study</source>
        <translation>Die neue Studie</translation>
    </message>
    <message>
        <source>A mapping was changed and neither applied nor saved.</source>
        <translation>Eine Zuordnung wurde geändert und weder angewendet noch gespeichert.</translation>
    </message>
    <message>
        <source>Quit Ulpscope</source>
        <translation>Ulpscope beenden</translation>
    </message>
    <message>
        <source>Files are being written. What is unfinished of them is lost.</source>
        <translation>Es werden Dateien geschrieben. Was davon nicht fertig ist, geht verloren.</translation>
    </message>
    <message>
        <source>Save and quit</source>
        <translation>Speichern und beenden</translation>
    </message>
</context>
<context>
    <name>ulp::app::CompareAsDialog</name>
    <message>
        <source>Write a &amp;spreadsheet (.xlsx)</source>
        <translation>&amp;Tabelle schreiben (.xlsx)</translation>
    </message>
    <message>
        <source>&amp;Pair calls in order, whatever their numbers</source>
        <translation>Aufrufe der &amp;Reihe nach zuordnen, gleich welcher Nummer</translation>
    </message>
    <message>
        <source>&amp;Highlight</source>
        <translation>&amp;Hervorheben</translation>
    </message>
    <message>
        <source>Compare as another tool</source>
        <translation>Wie ein anderes Werkzeug vergleichen</translation>
    </message>
    <message>
        <source>Tool</source>
        <translation>Werkzeug</translation>
    </message>
    <message>
        <source>Whose files are written, cell by cell as it would</source>
        <translation>Dessen Dateien geschrieben werden, Zelle für Zelle wie von ihm selbst</translation>
    </message>
    <message>
        <source>&amp;Tool</source>
        <translation>&amp;Werkzeug</translation>
    </message>
    <message>
        <source>&amp;Compare</source>
        <translation>&amp;Vergleichen</translation>
    </message>
    <message>
        <source>File…</source>
        <translation>Datei…</translation>
    </message>
    <message>
        <source>Choose a file</source>
        <translation>Datei wählen</translation>
    </message>
    <message>
        <source>Folder…</source>
        <translation>Ordner…</translation>
    </message>
    <message>
        <source>Choose a folder</source>
        <translation>Ordner wählen</translation>
    </message>
    <message>
        <source>&amp;Golden side</source>
        <translation>&amp;Golden-Seite</translation>
    </message>
    <message>
        <source>Path of the golden side</source>
        <translation>Pfad der Golden-Seite</translation>
    </message>
    <message>
        <source>A dump; or a compare.json of msprobe 8.x for both</source>
        <translation>Ein Dump; oder eine compare.json von msprobe 8.x für beide</translation>
    </message>
    <message>
        <source>&amp;Under test</source>
        <translation>Ge&amp;testete Seite</translation>
    </message>
    <message>
        <source>Path of the side under test</source>
        <translation>Pfad der getesteten Seite</translation>
    </message>
    <message>
        <source>The dump that is compared with it</source>
        <translation>Der Dump, der damit verglichen wird</translation>
    </message>
    <message>
        <source>Folder of the results</source>
        <translation>Ordner der Ergebnisse</translation>
    </message>
    <message>
        <source>Choose a folder for the results</source>
        <translation>Ordner für die Ergebnisse wählen</translation>
    </message>
    <message>
        <source>Made where it is missing; nothing in it is replaced</source>
        <translation>Wird angelegt, wo er fehlt; nichts darin wird ersetzt</translation>
    </message>
    <message>
        <source>&amp;Write to</source>
        <translation>&amp;Schreiben nach</translation>
    </message>
    <message>
        <source>Browse…</source>
        <translation>Durchsuchen…</translation>
    </message>
    <message>
        <source>Choose a mapping file</source>
        <translation>Zuordnungsdatei wählen</translation>
    </message>
    <message>
        <source>Mappings (*.yaml *.yml *.json)</source>
        <translation>Zuordnungen (*.yaml *.yml *.json)</translation>
    </message>
    <message>
        <source>All files (*)</source>
        <translation>Alle Dateien (*)</translation>
    </message>
    <message>
        <source>Data mapping</source>
        <translation>Zuordnung der Daten</translation>
    </message>
    <message>
        <source>Cell mapping</source>
        <translation>Zuordnung der Cells</translation>
    </message>
    <message>
        <source>Level</source>
        <translation>Stufe</translation>
    </message>
    <message>
        <source>&amp;Data mapping</source>
        <translation>Zuordnung der &amp;Daten</translation>
    </message>
    <message>
        <source>C&amp;ell mapping</source>
        <translation>Zuordnung der &amp;Cells</translation>
    </message>
    <message>
        <source>&amp;Level</source>
        <translation>St&amp;ufe</translation>
    </message>
    <message>
        <source>as usual</source>
        <translation>wie üblich</translation>
    </message>
    <message>
        <source>The tool&apos;s %1</source>
        <translation>%1 des Werkzeugs</translation>
    </message>
</context>
<context>
    <name>ulp::app::CompareDumpsDialog</name>
    <message>
        <source>Compare &amp;elements where both dumps hold them</source>
        <translation>&amp;Elemente vergleichen, wo beide Dumps sie enthalten</translation>
    </message>
    <message>
        <source>Compare dumps</source>
        <translation>Dumps vergleichen</translation>
    </message>
    <message>
        <source>S&amp;wap</source>
        <translation>&amp;Tauschen</translation>
    </message>
    <message>
        <source>Make the candidate the baseline and the baseline the candidate</source>
        <translation>Kandidat und Basis vertauschen</translation>
    </message>
    <message>
        <source>Off: compare recorded statistics and checksums alone, which reads no file of tensors</source>
        <translation>Aus: nur aufgezeichnete Statistiken und Prüfsummen vergleichen; dafür wird keine Tensordatei gelesen</translation>
    </message>
    <message>
        <source>&amp;Compare</source>
        <translation>&amp;Vergleichen</translation>
    </message>
    <message>
        <source>&amp;Mapping</source>
        <translation>&amp;Zuordnung</translation>
    </message>
    <message>
        <source>None: names and places in the module tree decide</source>
        <translation>Keine: Namen und Plätze im Modulbaum entscheiden</translation>
    </message>
    <message>
        <source>Mapping file</source>
        <translation>Zuordnungsdatei</translation>
    </message>
    <message>
        <source>How names of the candidate read in those of the baseline (compare --map)</source>
        <translation>Wie Namen des Kandidaten in denen der Basis lauten (compare --map)</translation>
    </message>
    <message>
        <source>Browse…</source>
        <translation>Durchsuchen…</translation>
    </message>
    <message>
        <source>Choose a mapping file</source>
        <translation>Zuordnungsdatei wählen</translation>
    </message>
    <message>
        <source>Mappings (*.yaml *.yml)</source>
        <translation>Zuordnungen (*.yaml *.yml)</translation>
    </message>
    <message>
        <source>All files (*)</source>
        <translation>Alle Dateien (*)</translation>
    </message>
    <message>
        <source>A mapping says how names of the candidate read in those of the baseline. This one was chosen before the sides were swapped.</source>
        <translation>Eine Zuordnung sagt, wie Namen des Kandidaten in denen der Basis lauten. Diese wurde gewählt, bevor die Seiten getauscht wurden.</translation>
    </message>
    <message>
        <source>&amp;Pair calls in order, whatever their numbers</source>
        <translation>Aufrufe der &amp;Reihe nach zuordnen, gleich welcher Nummer</translation>
    </message>
    <message>
        <source>For dumps that count the calls of an operation differently</source>
        <translation>Für Dumps, die die Aufrufe einer Operation verschieden zählen</translation>
    </message>
</context>
<context>
    <name>ulp::app::DockTitle</name>
    <message>
        <source>More controls</source>
        <translation>Weitere Bedienelemente</translation>
    </message>
    <message>
        <source>Copy and export</source>
        <translation>Kopieren und exportieren</translation>
    </message>
    <message>
        <source>Copy, export, show as table</source>
        <translation>Kopieren, exportieren, als Tabelle zeigen</translation>
    </message>
    <message>
        <source>Lock view</source>
        <translation>Ansicht sperren</translation>
    </message>
    <message>
        <source>Lock: stay with the report and selection that are shown now</source>
        <translation>Sperren: beim jetzt gezeigten Bericht und der jetzigen Auswahl bleiben</translation>
    </message>
    <message>
        <source>Link zoom</source>
        <translation>Zoom koppeln</translation>
    </message>
    <message>
        <source>Link zoom: zoom, pan and cursors follow those of the other linked tabs of this view</source>
        <translation>Zoom koppeln: Zoom, Verschiebung und Cursor folgen denen der anderen gekoppelten Tabs dieser Ansicht</translation>
    </message>
</context>
<context>
    <name>ulp::app::DropOverlay</name>
    <message>
        <source>Drop files</source>
        <translation>Dateien ablegen</translation>
    </message>
    <message>
        <source>Edit</source>
        <translation>Bearbeiten</translation>
    </message>
    <message>
        <source>Open the study in the editor</source>
        <translation>Studie im Editor öffnen</translation>
    </message>
    <message>
        <source>Add to the queue</source>
        <translation>In die Warteschlange</translation>
    </message>
    <message>
        <source>Run it after the studies that are waiting</source>
        <translation>Nach den wartenden Studien ausführen</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>Öffnen</translation>
    </message>
    <message>
        <source>In place of what is open</source>
        <translation>Anstelle des Geöffneten</translation>
    </message>
    <message>
        <source>Compare with what is open</source>
        <translation>Mit dem Geöffneten vergleichen</translation>
    </message>
    <message>
        <source>Run folders, reports, studies, and dumps; two dumps are compared</source>
        <translation>Laufordner, Berichte, Studien und Dumps; zwei Dumps werden verglichen</translation>
    </message>
    <message>
        <source>Add its runs to those that are open; of a dump, compare it</source>
        <translation>Seine Läufe zu den geöffneten hinzufügen; einen Dump vergleichen</translation>
    </message>
</context>
<context>
    <name>ulp::app::DumpSidePane</name>
    <message>
        <source>Baseline</source>
        <translation>Basis</translation>
    </message>
    <message>
        <source>Candidate</source>
        <translation>Kandidat</translation>
    </message>
    <message>
        <source>A dump: folder or file; FOLDER#RUN for a run</source>
        <translation>Ordner oder Datei; ORDNER#LAUF für einen Lauf</translation>
    </message>
    <message>
        <source>Path of the baseline</source>
        <translation>Pfad der Basis</translation>
    </message>
    <message>
        <source>Path of the candidate</source>
        <translation>Pfad des Kandidaten</translation>
    </message>
    <message>
        <source>File…</source>
        <translation>Datei…</translation>
    </message>
    <message>
        <source>Choose a file</source>
        <translation>Datei wählen</translation>
    </message>
    <message>
        <source>Folder…</source>
        <translation>Ordner…</translation>
    </message>
    <message>
        <source>Choose a folder</source>
        <translation>Ordner wählen</translation>
    </message>
    <message>
        <source>Nothing chosen yet.</source>
        <translation>Noch nichts gewählt.</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>Lauf</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>Schritt</translation>
    </message>
    <message>
        <source>Rank</source>
        <translation>Rang</translation>
    </message>
    <message>
        <source>Token</source>
        <translation>Token</translation>
    </message>
    <message>
        <source>Compare these units of the dump alone</source>
        <translation>Nur diese Einheiten des Dumps vergleichen</translation>
    </message>
    <message>
        <source>Choose a dump</source>
        <translation>Dump wählen</translation>
    </message>
    <message>
        <source>Looking…</source>
        <translation>Suche…</translation>
    </message>
    <message numerus="yes">
        <source>%1, %n unit(s)</source>
        <translation>
            <numerusform>%1, %n Einheit</numerusform>
            <numerusform>%1, %n Einheiten</numerusform>
        </translation>
    </message>
    <message>
        <source>all</source>
        <translation>alle</translation>
    </message>
    <message>
        <source>Source</source>
        <translation>Quelle</translation>
    </message>
    <message>
        <source>Path of the source</source>
        <translation>Pfad der Quelle</translation>
    </message>
    <message>
        <source>What %1 or Ulpscope recorded, or files of tensors (.pt, .npy, .safetensors, .h5); recognised by content. Files of elements without a header: FILE:TYPE[SHAPE]@OFFSET, as in a.bin:float32[4,-1]@64</source>
        <translation>Was %1 oder Ulpscope aufgezeichnet hat, oder Dateien von Tensoren (.pt, .npy, .safetensors, .h5); am Inhalt erkannt. Dateien von Elementen ohne Kopf: FILE:TYPE[SHAPE]@OFFSET, wie in a.bin:float32[4,-1]@64</translation>
    </message>
    <message>
        <source>These units of the dump alone</source>
        <translation>Nur diese Einheiten des Dumps</translation>
    </message>
</context>
<context>
    <name>ulp::app::EngineDialog</name>
    <message>
        <source>Devices and models</source>
        <translation>Geräte und Modelle</translation>
    </message>
    <message>
        <source>Asking the engine…</source>
        <translation>Die Engine wird gefragt…</translation>
    </message>
    <message>
        <source>%1 cannot be started: %2</source>
        <translation>%1 kann nicht gestartet werden: %2</translation>
    </message>
</context>
<context>
    <name>ulp::app::ExportDumps</name>
    <message>
        <source>Wrote to %1: %2.</source>
        <translation>Nach %1 geschrieben: %2.</translation>
    </message>
    <message>
        <source>, </source>
        <translation>, </translation>
    </message>
    <message numerus="yes">
        <source>Wrote %1: %n tensor(s), %2.</source>
        <translation>
            <numerusform>%1 geschrieben: %n Tensor, %2.</numerusform>
            <numerusform>%1 geschrieben: %n Tensoren, %2.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ulp::app::ExportReport</name>
    <message>
        <source>Web page with charts</source>
        <translation>Webseite mit Diagrammen</translation>
    </message>
    <message>
        <source>PDF with charts, for printing</source>
        <translation>PDF mit Diagrammen, zum Drucken</translation>
    </message>
    <message>
        <source>Export report</source>
        <translation>Bericht exportieren</translation>
    </message>
</context>
<context>
    <name>ulp::app::ExportTensorsDialog</name>
    <message>
        <source>&amp;Statistics in place of the elements</source>
        <translation>&amp;Statistiken statt der Elemente</translation>
    </message>
    <message>
        <source>&amp;Replace an earlier export</source>
        <translation>Einen früheren Export e&amp;rsetzen</translation>
    </message>
    <message>
        <source>Export tensors</source>
        <translation>Tensoren exportieren</translation>
    </message>
    <message>
        <source>&amp;Export</source>
        <translation>&amp;Exportieren</translation>
    </message>
    <message>
        <source>Format</source>
        <translation>Format</translation>
    </message>
    <message>
        <source>Names that match</source>
        <translation>Namen, die passen</translation>
    </message>
    <message>
        <source>All tensors</source>
        <translation>Alle Tensoren</translation>
    </message>
    <message>
        <source>Only tensors in whose name this regular expression is found, as in layers\.3\.</source>
        <translation>Nur Tensoren, in deren Namen dieser reguläre Ausdruck vorkommt, wie in layers\.3\.</translation>
    </message>
    <message>
        <source>Maximum, minimum, mean and norm alone, in msprobe&apos;s format</source>
        <translation>Nur Maximum, Minimum, Mittel und Norm, im Format von msprobe</translation>
    </message>
    <message>
        <source>Largest file</source>
        <translation>Größte Datei</translation>
    </message>
    <message>
        <source>Where a file of a folder ends and the next one begins, in safetensors</source>
        <translation>Wo eine Datei eines Ordners endet und die nächste beginnt, bei safetensors</translation>
    </message>
    <message>
        <source> GB</source>
        <translation> GB</translation>
    </message>
    <message>
        <source>as usual (5 GB)</source>
        <translation>wie üblich (5 GB)</translation>
    </message>
    <message>
        <source>&amp;Format</source>
        <translation>&amp;Format</translation>
    </message>
    <message>
        <source>&amp;Names that match</source>
        <translation>&amp;Namen, die passen</translation>
    </message>
    <message>
        <source>&amp;Largest file</source>
        <translation>&amp;Größte Datei</translation>
    </message>
    <message>
        <source>Folder or file to write</source>
        <translation>Zu schreibender Ordner oder Datei</translation>
    </message>
    <message>
        <source>Browse…</source>
        <translation>Durchsuchen…</translation>
    </message>
    <message>
        <source>Choose a folder or file to write</source>
        <translation>Zu schreibenden Ordner oder Datei wählen</translation>
    </message>
    <message>
        <source>A folder; or a file of the format, such as layer3.safetensors, for one run or step</source>
        <translation>Ein Ordner; oder eine Datei des Formats, wie layer3.safetensors, für einen Lauf oder Schritt</translation>
    </message>
    <message>
        <source>Nothing else is ever replaced</source>
        <translation>Anderes wird nie ersetzt</translation>
    </message>
    <message>
        <source>&amp;Write to</source>
        <translation>&amp;Schreiben nach</translation>
    </message>
    <message>
        <source>%1 exists already. Name another, or allow to replace it.</source>
        <translation>%1 gibt es schon. Nennen Sie etwas anderes, oder erlauben Sie, es zu ersetzen.</translation>
    </message>
</context>
<context>
    <name>ulp::app::FileCommands</name>
    <message>
        <source>&amp;Open…</source>
        <translation>Ö&amp;ffnen…</translation>
    </message>
    <message>
        <source>Open a report or a study</source>
        <translation>Bericht oder Studie öffnen</translation>
    </message>
    <message>
        <source>Open &amp;folder…</source>
        <translation>Ord&amp;ner öffnen…</translation>
    </message>
    <message>
        <source>Open the folder of a run</source>
        <translation>Ordner eines Laufs öffnen</translation>
    </message>
    <message>
        <source>&amp;New study</source>
        <translation>Neue S&amp;tudie</translation>
    </message>
    <message>
        <source>Make a study from the template</source>
        <translation>Studie aus der Vorlage anlegen</translation>
    </message>
    <message>
        <source>&amp;Save study</source>
        <translation>Studie &amp;speichern</translation>
    </message>
    <message>
        <source>Save the open study</source>
        <translation>Geöffnete Studie speichern</translation>
    </message>
    <message>
        <source>Save study &amp;as…</source>
        <translation>Studie speichern &amp;unter…</translation>
    </message>
    <message>
        <source>Save the open study under another name</source>
        <translation>Geöffnete Studie unter anderem Namen speichern</translation>
    </message>
    <message>
        <source>&amp;Reload report</source>
        <translation>Bericht neu &amp;laden</translation>
    </message>
    <message>
        <source>Read the open report again</source>
        <translation>Den geöffneten Bericht erneut lesen</translation>
    </message>
    <message>
        <source>&amp;Export report…</source>
        <translation>Bericht e&amp;xportieren…</translation>
    </message>
    <message>
        <source>Write the open report as web page, PDF or tables</source>
        <translation>Den geöffneten Bericht als Webseite, PDF oder Tabellen schreiben</translation>
    </message>
    <message>
        <source>&amp;Quit</source>
        <translation>&amp;Beenden</translation>
    </message>
    <message>
        <source>Close the window</source>
        <translation>Fenster schließen</translation>
    </message>
    <message>
        <source>Compare &amp;dumps…</source>
        <translation>&amp;Dumps vergleichen…</translation>
    </message>
    <message>
        <source>Compare what two runs recorded: %1, or any tensors</source>
        <translation>Vergleichen, was zwei Läufe aufgezeichnet haben: %1 oder beliebige Tensoren</translation>
    </message>
    <message>
        <source>Save co&amp;mparison as…</source>
        <translation>&amp;Vergleich speichern unter…</translation>
    </message>
    <message>
        <source>Write the comparison of two dumps as a report folder</source>
        <translation>Den Vergleich zweier Dumps als Berichtsordner schreiben</translation>
    </message>
    <message>
        <source>&amp;Add a report to compare…</source>
        <translation>Bericht zum Vergleich &amp;hinzufügen…</translation>
    </message>
    <message>
        <source>Compare the runs of another report with those that are open</source>
        <translation>Läufe eines weiteren Berichts mit den geöffneten vergleichen</translation>
    </message>
    <message>
        <source>Edit the &amp;mapping of names…</source>
        <translation>&amp;Namenszuordnung bearbeiten…</translation>
    </message>
    <message>
        <source>Match the names of the two dumps that are compared</source>
        <translation>Die Namen der beiden verglichenen Dumps einander zuordnen</translation>
    </message>
    <message>
        <source>Add &amp;studies to the queue…</source>
        <translation>Studien &amp;einreihen…</translation>
    </message>
    <message>
        <source>Choose study files; they run one after the other</source>
        <translation>Studiendateien wählen; sie laufen nacheinander</translation>
    </message>
    <message>
        <source>Reports and studies (*.json *.yaml *.yml)</source>
        <translation>Berichte und Studien (*.json *.yaml *.yml)</translation>
    </message>
    <message>
        <source>All files (*)</source>
        <translation>Alle Dateien (*)</translation>
    </message>
    <message>
        <source>Add a report to compare</source>
        <translation>Bericht zum Vergleich hinzufügen</translation>
    </message>
    <message>
        <source>Reports (*.json)</source>
        <translation>Berichte (*.json)</translation>
    </message>
    <message>
        <source>Add studies to the queue</source>
        <translation>Studien in die Warteschlange einreihen</translation>
    </message>
    <message>
        <source>Studies (*.yaml *.yml)</source>
        <translation>Studien (*.yaml *.yml)</translation>
    </message>
    <message>
        <source>Save the study</source>
        <translation>Studie speichern</translation>
    </message>
    <message>
        <source>Save the comparison as a folder</source>
        <translation>Vergleich als Ordner speichern</translation>
    </message>
    <message>
        <source>%1 (missing)</source>
        <translation>%1 (fehlt)</translation>
    </message>
    <message>
        <source>Nothing yet</source>
        <translation>Noch nichts</translation>
    </message>
    <message>
        <source>%1 (not saved)</source>
        <translation>%1 (nicht gespeichert)</translation>
    </message>
    <message>
        <source>Save the comparisons in a folder</source>
        <translation>Die Vergleiche in einem Ordner sichern</translation>
    </message>
    <message>
        <source>E&amp;xport tensors…</source>
        <translation>Tens&amp;oren exportieren…</translation>
    </message>
    <message>
        <source>Write the tensors of a run, a dump or a file for other tools</source>
        <translation>Die Tensoren eines Laufs, eines Dumps oder einer Datei für andere Werkzeuge schreiben</translation>
    </message>
    <message>
        <source>Compare as another too&amp;l…</source>
        <translation>&amp;Wie ein anderes Werkzeug vergleichen…</translation>
    </message>
    <message>
        <source>Write the files that msprobe or msit would, cell by cell</source>
        <translation>Die Dateien schreiben, die msprobe oder msit schriebe, Zelle für Zelle</translation>
    </message>
    <message>
        <source>&amp;Tokenize a text…</source>
        <translation>Einen Text in To&amp;ken zerlegen…</translation>
    </message>
    <message>
        <source>Show the tokens that a model&apos;s tokenizer makes of a text</source>
        <translation>Die Token zeigen, die der Tokenizer eines Modells aus einem Text macht</translation>
    </message>
    <message>
        <source>&amp;Devices and models…</source>
        <translation>&amp;Geräte und Modelle…</translation>
    </message>
    <message>
        <source>Show on which devices studies can run, and which models</source>
        <translation>Zeigen, auf welchen Geräten Studien laufen können, und welche Modelle</translation>
    </message>
    <message>
        <source>Record a pro&amp;gram…</source>
        <translation>Programm aufzei&amp;chnen…</translation>
    </message>
    <message>
        <source>Run a PyTorch program as it is, and open what it computes</source>
        <translation>Ein PyTorch-Programm unverändert ausführen und öffnen, was es rechnet</translation>
    </message>
    <message>
        <source>Open loca&amp;tion…</source>
        <translation>&amp;Adresse öffnen…</translation>
    </message>
    <message>
        <source>Open a report or a dump on another machine: ssh://host/path</source>
        <translation>Einen Bericht oder Dump auf einem anderen Rechner öffnen: ssh://Rechner/Pfad</translation>
    </message>
    <message>
        <source>Fetching %1. The tensors of a report stay where they are until they are looked at.</source>
        <translation>%1 wird geholt. Die Tensoren eines Berichts bleiben, wo sie sind, bis jemand sie ansieht.</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>Anhalten</translation>
    </message>
    <message>
        <source>Open location</source>
        <translation>Adresse öffnen</translation>
    </message>
    <message>
        <source>A report, the folder of a run or a dump on another machine, which ssh reaches:</source>
        <translation>Ein Bericht, der Ordner eines Laufs oder ein Dump auf einem anderen Rechner, den ssh erreicht:</translation>
    </message>
    <message>
        <source>Submit to Sl&amp;urm…</source>
        <translation>An Sl&amp;urm übergeben…</translation>
    </message>
    <message>
        <source>Run the open study on a cluster, as tasks of a job array</source>
        <translation>Die offene Studie auf einem Cluster rechnen, als Aufgaben eines Job-Arrays</translation>
    </message>
    <message>
        <source>Open &amp;pasted location</source>
        <translation>Ko&amp;pierten Ort öffnen</translation>
    </message>
    <message>
        <source>Open the ssh://host/path that was copied</source>
        <translation>Die kopierte Adresse ssh://host/pfad öffnen</translation>
    </message>
    <message>
        <source>Nothing that could be opened was copied. Copy an address, ssh://host/path, or files of the file manager.</source>
        <translation>Es wurde nichts kopiert, was sich öffnen lässt. Kopieren Sie eine Adresse, ssh://host/pfad, oder Dateien der Dateiverwaltung.</translation>
    </message>
</context>
<context>
    <name>ulp::app::HelpWindow</name>
    <message>
        <source>Search the help</source>
        <translation>Hilfe durchsuchen</translation>
    </message>
    <message>
        <source>&amp;Open in the browser</source>
        <translation>Im Browser &amp;öffnen</translation>
    </message>
    <message>
        <source>Help</source>
        <translation>Hilfe</translation>
    </message>
    <message>
        <source>Contents</source>
        <translation>Inhalt</translation>
    </message>
    <message>
        <source>Back</source>
        <translation>Zurück</translation>
    </message>
    <message>
        <source>Forward</source>
        <translation>Vorwärts</translation>
    </message>
    <message>
        <source>Search</source>
        <translation>Suchen</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
    <message>
        <source>%1 is not part of this help.</source>
        <translation>%1 gehört nicht zu dieser Hilfe.</translation>
    </message>
    <message>
        <source>%1, outside of this help</source>
        <translation>%1, außerhalb dieser Hilfe</translation>
    </message>
    <message>
        <source>This help has no place %1. It may be a file of Ulpscope&apos;s sources.</source>
        <translation>Diese Hilfe hat keine Stelle %1. Es kann eine Datei der Quellen von Ulpscope sein.</translation>
    </message>
    <message>
        <source>Next: %1</source>
        <translation>Weiter: %1</translation>
    </message>
    <message>
        <source>%1 – Help</source>
        <translation>%1 – Hilfe</translation>
    </message>
    <message>
        <source>%1, continued</source>
        <translation>%1, Fortsetzung</translation>
    </message>
    <message>
        <source>Guide</source>
        <translation>Leitfaden</translation>
    </message>
    <message>
        <source>File formats</source>
        <translation>Dateiformate</translation>
    </message>
    <message>
        <source>Reference</source>
        <translation>Nachschlagen</translation>
    </message>
    <message>
        <source>No page has all of these words.</source>
        <translation>Keine Seite enthält alle diese Wörter.</translation>
    </message>
    <message>
        <source>Pages found: %1</source>
        <translation>Gefundene Seiten: %1</translation>
    </message>
</context>
<context>
    <name>ulp::app::HostDialog</name>
    <message>
        <source>&amp;Copy Ulpscope there where it is missing</source>
        <translation>Ulpscope dorthin &amp;kopieren, wo es fehlt</translation>
    </message>
    <message>
        <source>Run on another machine</source>
        <translation>Auf einem anderen Rechner ausführen</translation>
    </message>
    <message>
        <source>&amp;Machine, as ssh knows it:</source>
        <translation>&amp;Rechner, wie ssh ihn kennt:</translation>
    </message>
    <message>
        <source>Machine, as ssh knows it</source>
        <translation>Rechner, wie ssh ihn kennt</translation>
    </message>
    <message>
        <source>Paths of the study are paths there. The study goes on when this window is closed or the connection is lost; its tensors stay there until they are looked at.</source>
        <translation>Pfade der Studie sind Pfade dort. Die Studie läuft weiter, wenn dieses Fenster geschlossen wird oder die Verbindung abbricht; ihre Tensoren bleiben dort, bis jemand sie ansieht.</translation>
    </message>
    <message>
        <source>&amp;Run</source>
        <translation>&amp;Ausführen</translation>
    </message>
</context>
<context>
    <name>ulp::app::LastMessage</name>
    <message>
        <source>Show the last message again</source>
        <translation>Letzte Meldung erneut zeigen</translation>
    </message>
    <message>
        <source>Last message: %1</source>
        <translation>Letzte Meldung: %1</translation>
    </message>
</context>
<context>
    <name>ulp::app::LastSession</name>
    <message>
        <source>%1: %2. The file is left as it is, and what is open here is not kept for the next start; use the newer version of Ulpscope, or move the file away.</source>
        <translation>%1: %2. Die Datei bleibt unverändert, und was hier geöffnet ist, wird nicht für den nächsten Start gemerkt; die neuere Version von Ulpscope verwenden oder die Datei verschieben.</translation>
    </message>
    <message>
        <source>session</source>
        <translation>Sitzung</translation>
    </message>
    <message>
        <source>%1, which was open in the last session, is gone.</source>
        <translation>%1, in der letzten Sitzung geöffnet, ist nicht mehr vorhanden.</translation>
    </message>
    <message numerus="yes">
        <source>The queue is paused, with %n study(s) of the last session.</source>
        <translation>
            <numerusform>Die Warteschlange ist pausiert, mit %n Studie der letzten Sitzung.</numerusform>
            <numerusform>Die Warteschlange ist pausiert, mit %n Studien der letzten Sitzung.</numerusform>
        </translation>
    </message>
    <message>
        <source>Run them</source>
        <translation>Ausführen</translation>
    </message>
</context>
<context>
    <name>ulp::app::LayoutCommands</name>
    <message>
        <source>&amp;Configure</source>
        <translation>&amp;Konfigurieren</translation>
    </message>
    <message>
        <source>Layout for writing studies: editor, configurations and runs</source>
        <translation>Layout zum Schreiben von Studien: Editor, Konfigurationen und Läufe</translation>
    </message>
    <message>
        <source>&amp;Analyse</source>
        <translation>&amp;Analysieren</translation>
    </message>
    <message>
        <source>Layout for reading reports: all views in their places</source>
        <translation>Layout zum Lesen von Berichten: alle Ansichten an ihrem Platz</translation>
    </message>
    <message>
        <source>&amp;Inspect</source>
        <translation>&amp;Untersuchen</translation>
    </message>
    <message>
        <source>Layout for single tensors: their elements and their numbers</source>
        <translation>Layout für einzelne Tensoren: ihre Elemente und ihre Zahlen</translation>
    </message>
    <message>
        <source>&amp;Save layout as…</source>
        <translation>Layout &amp;speichern unter…</translation>
    </message>
    <message>
        <source>Give the places of all views a name, to come back to them</source>
        <translation>Der Anordnung aller Ansichten einen Namen geben, um zu ihr zurückzukehren</translation>
    </message>
    <message>
        <source>&amp;Remove</source>
        <translation>&amp;Entfernen</translation>
    </message>
    <message>
        <source>Save layout</source>
        <translation>Layout speichern</translation>
    </message>
    <message>
        <source>Name of the layout. A layout of the same name is replaced.</source>
        <translation>Name des Layouts. Ein Layout gleichen Namens wird ersetzt.</translation>
    </message>
</context>
<context>
    <name>ulp::app::MainWindow</name>
    <message>
        <source>New study</source>
        <translation>Neue Studie</translation>
    </message>
</context>
<context>
    <name>ulp::app::MetricBox</name>
    <message>
        <source>Metric</source>
        <translation>Metrik</translation>
    </message>
    <message>
        <source>Metric of all views</source>
        <translation>Metrik aller Ansichten</translation>
    </message>
</context>
<context>
    <name>ulp::app::PassBox</name>
    <message>
        <source>Pass</source>
        <translation>Durchlauf</translation>
    </message>
    <message>
        <source>Passes that the views show</source>
        <translation>Durchläufe, die die Ansichten zeigen</translation>
    </message>
    <message>
        <source>Forward and backward</source>
        <translation>Vorwärts und rückwärts</translation>
    </message>
    <message>
        <source>Forward</source>
        <translation>Vorwärts</translation>
    </message>
    <message>
        <source>Backward</source>
        <translation>Rückwärts</translation>
    </message>
    <message>
        <source>Parameter gradients</source>
        <translation>Parametergradienten</translation>
    </message>
    <message>
        <source>Optimizer</source>
        <translation>Optimizer</translation>
    </message>
    <message>
        <source>All passes</source>
        <translation>Alle Durchläufe</translation>
    </message>
    <message>
        <source>Charts by layer show forward and backward, tables everything</source>
        <translation>Diagramme nach Schichten zeigen vorwärts und rückwärts, Tabellen alles</translation>
    </message>
</context>
<context>
    <name>ulp::app::RecordDialog</name>
    <message>
        <source>Record a program</source>
        <translation>Programm aufzeichnen</translation>
    </message>
    <message>
        <source>&amp;Record</source>
        <translation>&amp;Aufzeichnen</translation>
    </message>
    <message>
        <source>&amp;Stop</source>
        <translation>&amp;Stopp</translation>
    </message>
    <message>
        <source>End the program; what was recorded until then is kept</source>
        <translation>Das Programm beenden; was bis dahin aufgezeichnet wurde, bleibt erhalten</translation>
    </message>
    <message>
        <source>Nothing recorded yet.</source>
        <translation>Noch nichts aufgezeichnet.</translation>
    </message>
    <message>
        <source>Pro&amp;gram</source>
        <translation>Pro&amp;gramm</translation>
    </message>
    <message>
        <source>python train.py --lr 1e-4; or torchrun …</source>
        <translation>python train.py --lr 1e-4; oder torchrun …</translation>
    </message>
    <message>
        <source>Write &amp;to</source>
        <translation>Schreiben &amp;nach</translation>
    </message>
    <message>
        <source>Folder of the recording</source>
        <translation>Ordner der Aufzeichnung</translation>
    </message>
    <message>
        <source>A folder without a recording; made where it is missing</source>
        <translation>Ein Ordner ohne Aufzeichnung; wird angelegt, wo er fehlt</translation>
    </message>
    <message>
        <source>Choose a folder for the recording</source>
        <translation>Ordner für die Aufzeichnung wählen</translation>
    </message>
    <message>
        <source>&amp;Level</source>
        <translation>&amp;Ebene</translation>
    </message>
    <message>
        <source>modules (L0), or as configured</source>
        <translation>Module (L0), oder wie konfiguriert</translation>
    </message>
    <message>
        <source>modules (L0)</source>
        <translation>Module (L0)</translation>
    </message>
    <message>
        <source>calls of torch&apos;s functions (L1)</source>
        <translation>Aufrufe der Funktionen von torch (L1)</translation>
    </message>
    <message>
        <source>both (mix)</source>
        <translation>beides (mix)</translation>
    </message>
    <message>
        <source>&amp;Keep</source>
        <translation>&amp;Behalten</translation>
    </message>
    <message>
        <source>elements, or as configured</source>
        <translation>Elemente, oder wie konfiguriert</translation>
    </message>
    <message>
        <source>elements</source>
        <translation>Elemente</translation>
    </message>
    <message>
        <source>statistics alone</source>
        <translation>nur Statistiken</translation>
    </message>
    <message>
        <source>statistics and checksums</source>
        <translation>Statistiken und Prüfsummen</translation>
    </message>
    <message>
        <source>&amp;Of every call</source>
        <translation>&amp;Von jedem Aufruf</translation>
    </message>
    <message>
        <source>everything</source>
        <translation>alles</translation>
    </message>
    <message>
        <source>what goes forward</source>
        <translation>was vorwärts geht</translation>
    </message>
    <message>
        <source>gradients</source>
        <translation>Gradienten</translation>
    </message>
    <message>
        <source>what it reads</source>
        <translation>was er liest</translation>
    </message>
    <message>
        <source>what it makes</source>
        <translation>was er erzeugt</translation>
    </message>
    <message>
        <source>St&amp;eps</source>
        <translation>S&amp;chritte</translation>
    </message>
    <message>
        <source>All; or 0,2-5</source>
        <translation>Alle; oder 0,2-5</translation>
    </message>
    <message>
        <source>A step e&amp;nds</source>
        <translation>Ein Schritt en&amp;det</translation>
    </message>
    <message>
        <source>found by itself</source>
        <translation>von selbst erkannt</translation>
    </message>
    <message>
        <source>with the optimizer&apos;s step</source>
        <translation>mit dem Schritt des Optimierers</translation>
    </message>
    <message>
        <source>with each call of the model</source>
        <translation>mit jedem Aufruf des Modells</translation>
    </message>
    <message>
        <source>To&amp;kens</source>
        <translation>To&amp;kens</translation>
    </message>
    <message>
        <source>Of a model that generates: 0:3 are the first three</source>
        <translation>Eines Modells, das generiert: 0:3 sind die ersten drei</translation>
    </message>
    <message>
        <source>R&amp;anks</source>
        <translation>&amp;Ränge</translation>
    </message>
    <message>
        <source>All; or 0,2-3</source>
        <translation>Alle; oder 0,2-3</translation>
    </message>
    <message>
        <source>&amp;Modules</source>
        <translation>&amp;Module</translation>
    </message>
    <message>
        <source>All; or a regular expression</source>
        <translation>Alle; oder ein regulärer Ausdruck</translation>
    </message>
    <message>
        <source>Calls &amp;with</source>
        <translation>Au&amp;frufe mit</translation>
    </message>
    <message>
        <source>All; or parts of their names, with commas</source>
        <translation>Alle; oder Teile ihrer Namen, mit Kommas</translation>
    </message>
    <message>
        <source>&amp;From, to</source>
        <translation>V&amp;on, bis</translation>
    </message>
    <message>
        <source>Everything; or the first and the last call</source>
        <translation>Alles; oder der erste und der letzte Aufruf</translation>
    </message>
    <message>
        <source>&amp;Configuration</source>
        <translation>Konf&amp;iguration</translation>
    </message>
    <message>
        <source>Configuration of msprobe</source>
        <translation>Konfiguration von msprobe</translation>
    </message>
    <message>
        <source>A config.json of msprobe; what stands above comes first</source>
        <translation>Eine config.json von msprobe; was oben steht, geht vor</translation>
    </message>
    <message>
        <source>Choose a configuration of msprobe</source>
        <translation>Konfiguration von msprobe wählen</translation>
    </message>
    <message>
        <source>Configurations (*.json)</source>
        <translation>Konfigurationen (*.json)</translation>
    </message>
    <message>
        <source>All files (*)</source>
        <translation>Alle Dateien (*)</translation>
    </message>
    <message>
        <source>Record from w&amp;here each call comes</source>
        <translation>Aufzeichnen, wo&amp;her jeder Aufruf kommt</translation>
    </message>
    <message>
        <source>Progress</source>
        <translation>Fortschritt</translation>
    </message>
    <message>
        <source>Output of the program</source>
        <translation>Ausgabe des Programms</translation>
    </message>
    <message>
        <source>What the program writes</source>
        <translation>Was das Programm schreibt</translation>
    </message>
    <message>
        <source>Browse…</source>
        <translation>Durchsuchen…</translation>
    </message>
    <message>
        <source>Waiting for the first call of a model; %1</source>
        <translation>Wartet auf den ersten Aufruf eines Modells; %1</translation>
    </message>
    <message numerus="yes">
        <source>%n step(s), %1 tensors, %2; %3</source>
        <translation>
            <numerusform>%n Schritt, %1 Tensoren, %2; %3</numerusform>
            <numerusform>%n Schritte, %1 Tensoren, %2; %3</numerusform>
        </translation>
    </message>
    <message>
        <source>Stopped before anything was recorded.</source>
        <translation>Gestoppt, bevor etwas aufgezeichnet wurde.</translation>
    </message>
    <message>
        <source>The program ended with exit code %1; what it recorded until then is open.</source>
        <translation>Das Programm endete mit Exit-Code %1; was es bis dahin aufzeichnete, ist geöffnet.</translation>
    </message>
    <message numerus="yes">
        <source>Recorded %n step(s), %1 tensors, %2: %3</source>
        <translation>
            <numerusform>%n Schritt aufgezeichnet, %1 Tensoren, %2: %3</numerusform>
            <numerusform>%n Schritte aufgezeichnet, %1 Tensoren, %2: %3</numerusform>
        </translation>
    </message>
    <message>
        <source>Record the &amp;parameters of modules, too</source>
        <translation>&amp;Parameter der Module mit aufzeichnen</translation>
    </message>
</context>
<context>
    <name>ulp::app::RecordJob</name>
    <message>
        <source>%1 cannot be started: %2</source>
        <translation>%1 kann nicht gestartet werden: %2</translation>
    </message>
</context>
<context>
    <name>ulp::app::RecordingTools</name>
    <message>
        <source>, </source>
        <translation>, </translation>
    </message>
</context>
<context>
    <name>ulp::app::RelationBox</name>
    <message>
        <source>Shown</source>
        <translation>Gezeigt</translation>
    </message>
    <message>
        <source>Error against it</source>
        <translation>Fehler gegen sie</translation>
    </message>
    <message>
        <source>Error less its error</source>
        <translation>Fehler minus ihr Fehler</translation>
    </message>
    <message>
        <source>Error against the reference, less that of the baseline</source>
        <translation>Fehler gegen die Referenz, abzüglich des Fehlers der Basis</translation>
    </message>
    <message>
        <source>Error ÷ its error</source>
        <translation>Fehler ÷ ihr Fehler</translation>
    </message>
    <message>
        <source>Error against the reference as a multiple of that of the baseline</source>
        <translation>Fehler gegen die Referenz als Vielfaches des Fehlers der Basis</translation>
    </message>
    <message>
        <source>What is shown of a run, once a run other than the reference is the baseline</source>
        <translation>Was von einem Lauf gezeigt wird, sobald ein anderer Lauf als die Referenz die Basis ist</translation>
    </message>
    <message>
        <source>Tensors of every run compared with those of the baseline; needs kept tensors, or dumps</source>
        <translation>Tensoren jedes Laufs verglichen mit denen der Basis; braucht aufbewahrte Tensoren oder Dumps</translation>
    </message>
</context>
<context>
    <name>ulp::app::ReportPartPane</name>
    <message>
        <source>S&amp;ummary alone, without the tables of all tensors</source>
        <translation>Nur die Z&amp;usammenfassung, ohne die Tabellen aller Tensoren</translation>
    </message>
    <message>
        <source>Nothing ticked: all</source>
        <translation>Nichts angekreuzt: alle</translation>
    </message>
    <message>
        <source>&amp;Passes</source>
        <translation>&amp;Durchgänge</translation>
    </message>
    <message>
        <source>&amp;Metrics</source>
        <translation>&amp;Metriken</translation>
    </message>
    <message>
        <source>&amp;Variants</source>
        <translation>&amp;Varianten</translation>
    </message>
    <message>
        <source>What the &amp;rules say, with a verdict on every row</source>
        <translation>Was die &amp;Regeln sagen, mit einem Urteil über jede Zeile</translation>
    </message>
    <message>
        <source>The view Rules chooses what is asked of this report</source>
        <translation>Die Ansicht Regeln wählt, was von diesem Bericht verlangt wird</translation>
    </message>
</context>
<context>
    <name>ulp::app::Settings</name>
    <message>
        <source>Keyboard</source>
        <translation>Tastatur</translation>
    </message>
    <message>
        <source>Appearance</source>
        <translation>Erscheinungsbild</translation>
    </message>
    <message>
        <source>Files and session</source>
        <translation>Dateien und Sitzung</translation>
    </message>
    <message>
        <source>Theme</source>
        <translation>Farbschema</translation>
    </message>
    <message>
        <source>Colours of the window and of all charts.</source>
        <translation>Farben des Fensters und aller Diagramme.</translation>
    </message>
    <message>
        <source>As the system</source>
        <translation>Wie das System</translation>
    </message>
    <message>
        <source>Light</source>
        <translation>Hell</translation>
    </message>
    <message>
        <source>Dark</source>
        <translation>Dunkel</translation>
    </message>
    <message>
        <source>High contrast</source>
        <translation>Hoher Kontrast</translation>
    </message>
    <message>
        <source>Text size</source>
        <translation>Textgröße</translation>
    </message>
    <message>
        <source>In percent of the system&apos;s; everything else grows with the text.</source>
        <translation>In Prozent der Systemgröße; alles andere wächst mit dem Text.</translation>
    </message>
    <message>
        <source>Language</source>
        <translation>Sprache</translation>
    </message>
    <message>
        <source>Holds from the next start on.</source>
        <translation>Gilt ab dem nächsten Start.</translation>
    </message>
    <message>
        <source>Continue where I left off</source>
        <translation>Letzte Sitzung fortsetzen</translation>
    </message>
    <message>
        <source>Opens the report and the study of the last session when the program starts, and brings back the studies that waited in the queue.</source>
        <translation>Öffnet beim Start den Bericht und die Studie der letzten Sitzung und stellt die wartenden Studien der Warteschlange wieder her.</translation>
    </message>
    <message>
        <source>Recent files</source>
        <translation>Zuletzt geöffnete Dateien</translation>
    </message>
    <message>
        <source>How many are listed; 0 remembers none.</source>
        <translation>Wie viele aufgeführt werden; bei 0 keine.</translation>
    </message>
    <message>
        <source>Keys of a single letter</source>
        <translation>Tasten aus einem Buchstaben</translation>
    </message>
    <message>
        <source>L, N, ? and the like act while a chart or a table has the focus.</source>
        <translation>L, N, ? und ähnliche wirken, solange ein Diagramm oder eine Tabelle den Fokus hat.</translation>
    </message>
    <message>
        <source>Comparing dumps</source>
        <translation>Dumps vergleichen</translation>
    </message>
    <message>
        <source>Threads</source>
        <translation>Threads</translation>
    </message>
    <message>
        <source>How many compare two dumps, or read one, from the next comparison on; 0 takes one for each core.</source>
        <translation>Wie viele ab dem nächsten Vergleich zwei Dumps vergleichen oder einen lesen; 0 nimmt einen je Kern.</translation>
    </message>
</context>
<context>
    <name>ulp::app::SshQuestion</name>
    <message>
        <source>ssh asks</source>
        <translation>ssh fragt</translation>
    </message>
    <message>
        <source>Compare the fingerprint with what the administrator of the machine says.</source>
        <translation>Vergleichen Sie den Fingerabdruck mit dem, den der Verwalter des Rechners nennt.</translation>
    </message>
</context>
<context>
    <name>ulp::app::StartPage</name>
    <message>
        <source>Open a report…</source>
        <translation>Bericht öffnen…</translation>
    </message>
    <message>
        <source>A run folder, precision_report.json, or a study. Or drop it here.</source>
        <translation>Einen Laufordner, precision_report.json oder eine Studie. Oder hier ablegen.</translation>
    </message>
    <message>
        <source>Compare two dumps…</source>
        <translation>Zwei Dumps vergleichen…</translation>
    </message>
    <message>
        <source>Of %1, or files of tensors. Or drop both here.</source>
        <translation>Von %1 oder Tensordateien. Oder beide hier ablegen.</translation>
    </message>
    <message>
        <source>New study</source>
        <translation>Neue Studie</translation>
    </message>
    <message>
        <source>Choose a model and the precisions to compare.</source>
        <translation>Modell und zu vergleichende Präzisionen wählen.</translation>
    </message>
    <message>
        <source>Example: SmolLM2-135M</source>
        <translation>Beispiel: SmolLM2-135M</translation>
    </message>
    <message>
        <source>A real report, to look around in.</source>
        <translation>Ein echter Bericht zum Umsehen.</translation>
    </message>
    <message>
        <source>Recent</source>
        <translation>Zuletzt geöffnet</translation>
    </message>
    <message>
        <source>Where does a language model lose its bits?</source>
        <translation>Wo verliert ein Sprachmodell seine Bits?</translation>
    </message>
    <message>
        <source>%1 (missing)</source>
        <translation>%1 (fehlt)</translation>
    </message>
    <message>
        <source>Record a program…</source>
        <translation>Programm aufzeichnen…</translation>
    </message>
    <message>
        <source>Run a PyTorch program as it is, and look at what it computes.</source>
        <translation>Ein PyTorch-Programm unverändert ausführen und ansehen, was es rechnet.</translation>
    </message>
</context>
<context>
    <name>ulp::app::StatusLine</name>
    <message>
        <source>Progress of the export</source>
        <translation>Fortschritt des Exports</translation>
    </message>
    <message>
        <source>Progress of the comparison</source>
        <translation>Fortschritt des Vergleichs</translation>
    </message>
    <message>
        <source>Progress of the run</source>
        <translation>Fortschritt des Laufs</translation>
    </message>
    <message>
        <source>%1 left</source>
        <translation>noch %1</translation>
    </message>
    <message>
        <source>%1 waiting</source>
        <translation>%1 wartend</translation>
    </message>
    <message>
        <source>Writing %1</source>
        <translation>%1 wird geschrieben</translation>
    </message>
    <message>
        <source>Stopping…</source>
        <translation>Wird gestoppt…</translation>
    </message>
    <message>
        <source>Comparing %1</source>
        <translation>%1 wird verglichen</translation>
    </message>
    <message>
        <source>Opening…</source>
        <translation>Wird geöffnet…</translation>
    </message>
    <message>
        <source>%1 has finished.</source>
        <translation>%1 ist fertig.</translation>
    </message>
    <message>
        <source>%1 has failed.</source>
        <translation>%1 ist fehlgeschlagen.</translation>
    </message>
    <message>
        <source>%1 was stopped.</source>
        <translation>%1 wurde gestoppt.</translation>
    </message>
    <message>
        <source>Queue paused, %1 waiting</source>
        <translation>Warteschlange pausiert, %1 wartend</translation>
    </message>
    <message>
        <source>Running %1</source>
        <translation>%1 läuft</translation>
    </message>
    <message>
        <source>Reading %1</source>
        <translation>%1 wird gelesen</translation>
    </message>
</context>
<context>
    <name>ulp::app::SubmitDialog</name>
    <message>
        <source>Submit to Slurm</source>
        <translation>An Slurm übergeben</translation>
    </message>
    <message>
        <source>Command</source>
        <translation>Befehl</translation>
    </message>
    <message>
        <source>&amp;Submit</source>
        <translation>Über&amp;geben</translation>
    </message>
    <message>
        <source>Handing the study over…</source>
        <translation>Die Studie wird übergeben …</translation>
    </message>
    <message>
        <source>Submitted: %1. The view Runs shows how its tasks stand.</source>
        <translation>Übergeben: %1. Die Ansicht „Läufe“ zeigt, wie es um ihre Aufgaben steht.</translation>
    </message>
    <message>
        <source>Study</source>
        <translation>Studie</translation>
    </message>
    <message>
        <source>&amp;Results</source>
        <translation>&amp;Ergebnisse</translation>
    </message>
    <message>
        <source>Folder that all nodes see; or as the study says</source>
        <translation>Ordner, den alle Knoten sehen; sonst wie in der Studie</translation>
    </message>
    <message>
        <source>&amp;Partition</source>
        <translation>&amp;Partition</translation>
    </message>
    <message>
        <source>The cluster&apos;s default; sinfo lists them</source>
        <translation>Die des Clusters; sinfo zählt sie auf</translation>
    </message>
    <message>
        <source>&amp;Time</source>
        <translation>&amp;Zeit</translation>
    </message>
    <message>
        <source>Of a task; the partition&apos;s default, or 1:30:00</source>
        <translation>Einer Aufgabe; die der Partition, oder 1:30:00</translation>
    </message>
    <message>
        <source>&amp;GPUs</source>
        <translation>&amp;GPUs</translation>
    </message>
    <message>
        <source>Of a task; none, 1, or a100:1</source>
        <translation>Einer Aufgabe; keine, 1 oder a100:1</translation>
    </message>
    <message>
        <source>T&amp;hreads</source>
        <translation>T&amp;hreads</translation>
    </message>
    <message>
        <source>one a core</source>
        <translation>einer je Kern</translation>
    </message>
    <message>
        <source>Samples of a tas&amp;k</source>
        <translation>Stichproben einer A&amp;ufgabe</translation>
    </message>
    <message>
        <source>all</source>
        <translation>alle</translation>
    </message>
    <message>
        <source>&amp;Further options</source>
        <translation>&amp;Weitere Optionen</translation>
    </message>
    <message>
        <source>For sbatch: --account=me --mem=16G</source>
        <translation>Für sbatch: --account=ich --mem=16G</translation>
    </message>
    <message>
        <source>Run the reference &amp;once for all variants</source>
        <translation>Referenz ein&amp;mal für alle Varianten rechnen</translation>
    </message>
    <message>
        <source>&amp;Variants</source>
        <translation>&amp;Varianten</translation>
    </message>
    <message>
        <source>All; or their names, those with spaces in quotes</source>
        <translation>Alle; oder ihre Namen, solche mit Leerzeichen in Anführungszeichen</translation>
    </message>
    <message>
        <source>Other &amp;values</source>
        <translation>Andere &amp;Werte</translation>
    </message>
    <message>
        <source>As the study says; or KEY=VALUE, such as capture.level=layer input.seed=1</source>
        <translation>Wie in der Studie; oder SCHLÜSSEL=WERT, etwa capture.level=layer input.seed=1</translation>
    </message>
    <message>
        <source>&amp;Device</source>
        <translation>&amp;Gerät</translation>
    </message>
    <message>
        <source>As the study says; or cpu, cuda</source>
        <translation>Wie in der Studie; oder cpu, cuda</translation>
    </message>
</context>
<context>
    <name>ulp::app::TokenizeDialog</name>
    <message>
        <source>Model</source>
        <translation>Modell</translation>
    </message>
    <message>
        <source>File…</source>
        <translation>Datei…</translation>
    </message>
    <message>
        <source>Choose a model or tokenizer file</source>
        <translation>Datei eines Modells oder Tokenizers wählen</translation>
    </message>
    <message>
        <source>Folder…</source>
        <translation>Ordner…</translation>
    </message>
    <message>
        <source>Choose the folder of a model</source>
        <translation>Ordner eines Modells wählen</translation>
    </message>
    <message>
        <source>Tokenize a text</source>
        <translation>Einen Text in Token zerlegen</translation>
    </message>
    <message>
        <source>Model folder, .gguf, hub ID, tokenizer.json or tokenizer.model</source>
        <translation>Modellordner, .gguf, Hub-ID, tokenizer.json oder tokenizer.model</translation>
    </message>
    <message>
        <source>Text</source>
        <translation>Text</translation>
    </message>
    <message>
        <source>What is tokenised</source>
        <translation>Was zerlegt wird</translation>
    </message>
    <message>
        <source>Tokens</source>
        <translation>Token</translation>
    </message>
    <message>
        <source>&amp;Model</source>
        <translation>&amp;Modell</translation>
    </message>
    <message>
        <source>&amp;Text</source>
        <translation>&amp;Text</translation>
    </message>
    <message>
        <source>From a &amp;file…</source>
        <translation>Aus einer &amp;Datei…</translation>
    </message>
    <message>
        <source>Take the text of a UTF-8 file</source>
        <translation>Den Text einer UTF-8-Datei nehmen</translation>
    </message>
    <message>
        <source>T&amp;okenize</source>
        <translation>&amp;Zerlegen</translation>
    </message>
    <message>
        <source>Choose a text file</source>
        <translation>Textdatei wählen</translation>
    </message>
    <message>
        <source>Nothing tokenised yet.</source>
        <translation>Noch nichts zerlegt.</translation>
    </message>
    <message>
        <source>Tokenising…</source>
        <translation>Wird zerlegt…</translation>
    </message>
    <message numerus="yes">
        <source>%1: %n token(s)</source>
        <translation>
            <numerusform>%1: %n Token</numerusform>
            <numerusform>%1: %n Token</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ulp::app::ViewDocks</name>
    <message>
        <source>&amp;Another tab of this view</source>
        <translation>&amp;Weiterer Tab der Ansicht</translation>
    </message>
    <message>
        <source>Open a second tab of the current view, to lock it or to put it beside the first one</source>
        <translation>Zweiten Tab der aktuellen Ansicht öffnen, zum Sperren oder um ihn neben den ersten zu legen</translation>
    </message>
    <message>
        <source>Another tab &amp;beside it</source>
        <translation>Weiterer Tab d&amp;aneben</translation>
    </message>
    <message>
        <source>Open a second tab of the current view beside the first one, with linked zoom where it has any</source>
        <translation>Zweiten Tab der aktuellen Ansicht neben dem ersten öffnen, mit gekoppeltem Zoom, wo es einen gibt</translation>
    </message>
    <message>
        <source>Link &amp;zoom</source>
        <translation>&amp;Zoom koppeln</translation>
    </message>
    <message>
        <source>Let the current tab and the other linked ones of its view zoom, pan and move their cursors together</source>
        <translation>Zoom, Verschiebung und Cursor des aktuellen Tabs mit denen der anderen gekoppelten Tabs seiner Ansicht verbinden</translation>
    </message>
    <message>
        <source>&amp;Lock or follow</source>
        <translation>Sperren oder &amp;folgen</translation>
    </message>
    <message>
        <source>Let the current view stay with what it shows, or follow the selection again</source>
        <translation>Die aktuelle Ansicht bleibt bei dem, was sie zeigt, oder folgt wieder der Auswahl</translation>
    </message>
    <message>
        <source>%1 %2</source>
        <translation>%1 %2</translation>
    </message>
</context>
<context>
    <name>ulp::app::WindowCommands</name>
    <message>
        <source>&amp;Undo</source>
        <translation>&amp;Rückgängig</translation>
    </message>
    <message>
        <source>Take back the last change of the study</source>
        <translation>Letzte Änderung der Studie zurücknehmen</translation>
    </message>
    <message>
        <source>&amp;Redo</source>
        <translation>&amp;Wiederholen</translation>
    </message>
    <message>
        <source>Make the change again that was taken back</source>
        <translation>Zurückgenommene Änderung wiederherstellen</translation>
    </message>
    <message>
        <source>&amp;Undo %1</source>
        <translation>&amp;Rückgängig: %1</translation>
    </message>
    <message>
        <source>&amp;Redo %1</source>
        <translation>&amp;Wiederholen: %1</translation>
    </message>
    <message>
        <source>&amp;Run study</source>
        <translation>&amp;Studie ausführen</translation>
    </message>
    <message>
        <source>Save and run the open study</source>
        <translation>Geöffnete Studie speichern und ausführen</translation>
    </message>
    <message>
        <source>&amp;Pause the queue</source>
        <translation>Warteschlange &amp;pausieren</translation>
    </message>
    <message>
        <source>Start no further study; the one that runs goes on to its end</source>
        <translation>Keine weitere Studie starten; die laufende läuft zu Ende</translation>
    </message>
    <message>
        <source>&amp;Stop</source>
        <translation>S&amp;toppen</translation>
    </message>
    <message>
        <source>Stop what is running; what is finished stays</source>
        <translation>Laufendes stoppen; was fertig ist, bleibt</translation>
    </message>
    <message>
        <source>&amp;Back</source>
        <translation>&amp;Zurück</translation>
    </message>
    <message>
        <source>Back to the previous selection</source>
        <translation>Zurück zur vorherigen Auswahl</translation>
    </message>
    <message>
        <source>&amp;Forward</source>
        <translation>&amp;Vor</translation>
    </message>
    <message>
        <source>Forward to the next selection</source>
        <translation>Vor zur nächsten Auswahl</translation>
    </message>
    <message>
        <source>Next &amp;finding</source>
        <translation>Nächster &amp;Befund</translation>
    </message>
    <message>
        <source>Select what the next finding is about</source>
        <translation>Auswählen, wovon der nächste Befund handelt</translation>
    </message>
    <message>
        <source>Previous findin&amp;g</source>
        <translation>Vorheriger B&amp;efund</translation>
    </message>
    <message>
        <source>Select what the previous finding is about</source>
        <translation>Auswählen, wovon der vorherige Befund handelt</translation>
    </message>
    <message>
        <source>Next &amp;non-finite tensor</source>
        <translation>&amp;Nächster nicht endlicher Tensor</translation>
    </message>
    <message>
        <source>Select the variant&apos;s next tensor with NaN or infinite elements</source>
        <translation>Nächsten Tensor der Variante mit NaN oder unendlichen Elementen auswählen</translation>
    </message>
    <message>
        <source>Previous non-f&amp;inite tensor</source>
        <translation>Vorheriger n&amp;icht endlicher Tensor</translation>
    </message>
    <message>
        <source>Select the variant&apos;s previous tensor with NaN or infinite elements</source>
        <translation>Vorherigen Tensor der Variante mit NaN oder unendlichen Elementen auswählen</translation>
    </message>
    <message>
        <source>Next &amp;jump</source>
        <translation>Nächster &amp;Sprung</translation>
    </message>
    <message>
        <source>Select the next layer at which the variant&apos;s error jumps</source>
        <translation>Nächste Schicht auswählen, in der der Fehler der Variante springt</translation>
    </message>
    <message>
        <source>Previous j&amp;ump</source>
        <translation>Vorheriger S&amp;prung</translation>
    </message>
    <message>
        <source>Select the previous layer at which the variant&apos;s error jumps</source>
        <translation>Vorherige Schicht auswählen, in der der Fehler der Variante springt</translation>
    </message>
    <message>
        <source>Make the selected variant the &amp;baseline</source>
        <translation>Gewählte &amp;Variante zur Basis machen</translation>
    </message>
    <message>
        <source>Compare all runs with the selected variant</source>
        <translation>Alle Läufe mit der gewählten Variante vergleichen</translation>
    </message>
    <message>
        <source>Make the &amp;reference the baseline</source>
        <translation>&amp;Referenz zur Basis machen</translation>
    </message>
    <message>
        <source>Compare all runs with the reference again</source>
        <translation>Alle Läufe wieder mit der Referenz vergleichen</translation>
    </message>
    <message>
        <source>&amp;Error, difference or ratio</source>
        <translation>&amp;Fehler, Differenz oder Verhältnis</translation>
    </message>
    <message>
        <source>Show errors against the baseline, less its errors, or as multiples of them</source>
        <translation>Fehler gegen die Basis, abzüglich ihrer Fehler oder als deren Vielfache zeigen</translation>
    </message>
    <message>
        <source>&amp;Bookmark the selection</source>
        <translation>&amp;Lesezeichen setzen</translation>
    </message>
    <message>
        <source>Mark what is selected, to come back to it</source>
        <translation>Die Auswahl merken, um zu ihr zurückzukehren</translation>
    </message>
    <message>
        <source>Go to bookmark %1</source>
        <translation>Zu Lesezeichen %1</translation>
    </message>
    <message>
        <source>Run on another &amp;machine…</source>
        <translation>Auf einem anderen &amp;Rechner ausführen…</translation>
    </message>
    <message>
        <source>Save the open study and run it on a machine that ssh reaches</source>
        <translation>Die offene Studie speichern und auf einem Rechner ausführen, den ssh erreicht</translation>
    </message>
</context>
<context>
    <name>ulp::app::WindowMenus</name>
    <message>
        <source>Open r&amp;ecent</source>
        <translation>Zuletzt &amp;geöffnet</translation>
    </message>
    <message>
        <source>As the &amp;system</source>
        <translation>Wie das &amp;System</translation>
    </message>
    <message>
        <source>&amp;Light</source>
        <translation>&amp;Hell</translation>
    </message>
    <message>
        <source>&amp;Dark</source>
        <translation>&amp;Dunkel</translation>
    </message>
    <message>
        <source>&amp;High contrast</source>
        <translation>Hoher &amp;Kontrast</translation>
    </message>
    <message>
        <source>&amp;Panels</source>
        <translation>&amp;Bereiche</translation>
    </message>
    <message>
        <source>La&amp;yout</source>
        <translation>La&amp;yout</translation>
    </message>
    <message>
        <source>&amp;Theme</source>
        <translation>Farb&amp;schema</translation>
    </message>
    <message>
        <source>About Ulpscope</source>
        <translation>Über Ulpscope</translation>
    </message>
    <message>
        <source>Ulpscope %1
Where does a language model lose its bits?

Qt %2</source>
        <translation>Ulpscope %1
Wo verliert ein Sprachmodell seine Bits?

Qt %2</translation>
    </message>
    <message>
        <source>&amp;File</source>
        <translation>&amp;Datei</translation>
    </message>
    <message>
        <source>&amp;Edit</source>
        <translation>&amp;Bearbeiten</translation>
    </message>
    <message>
        <source>&amp;Run</source>
        <translation>Aus&amp;führen</translation>
    </message>
    <message>
        <source>&amp;View</source>
        <translation>&amp;Ansicht</translation>
    </message>
    <message>
        <source>&amp;Compare</source>
        <translation>&amp;Vergleich</translation>
    </message>
    <message>
        <source>&amp;Go</source>
        <translation>&amp;Gehe zu</translation>
    </message>
    <message>
        <source>&amp;Help</source>
        <translation>&amp;Hilfe</translation>
    </message>
    <message>
        <source>&amp;About Ulpscope</source>
        <translation>&amp;Über Ulpscope</translation>
    </message>
    <message>
        <source>Toolbar</source>
        <translation>Werkzeugleiste</translation>
    </message>
    <message>
        <source>&amp;Metric</source>
        <translation>&amp;Metrik</translation>
    </message>
    <message>
        <source>&amp;Pass</source>
        <translation>Durch&amp;lauf</translation>
    </message>
    <message>
        <source>&amp;Baseline</source>
        <translation>Ba&amp;sis</translation>
    </message>
</context>
<context>
    <name>ulp::app::WindowTools</name>
    <message>
        <source>&amp;Command palette…</source>
        <translation>&amp;Befehlspalette…</translation>
    </message>
    <message>
        <source>Find a command by a few of its letters and run it</source>
        <translation>Einen Befehl über einige seiner Buchstaben finden und ausführen</translation>
    </message>
    <message>
        <source>&amp;Keyboard shortcuts</source>
        <translation>&amp;Tastenkürzel</translation>
    </message>
    <message>
        <source>Show all keys at a glance</source>
        <translation>Alle Tasten auf einen Blick</translation>
    </message>
    <message>
        <source>Se&amp;ttings…</source>
        <translation>&amp;Einstellungen…</translation>
    </message>
    <message>
        <source>Theme, text size, language, shortcuts</source>
        <translation>Farbschema, Textgröße, Sprache, Tastenkürzel</translation>
    </message>
    <message>
        <source>Ne&amp;xt panel</source>
        <translation>Nächster Be&amp;reich</translation>
    </message>
    <message>
        <source>Move the keyboard to the next panel</source>
        <translation>Tastaturfokus in den nächsten Bereich</translation>
    </message>
    <message>
        <source>Pre&amp;vious panel</source>
        <translation>Vorheriger Bereic&amp;h</translation>
    </message>
    <message>
        <source>Move the keyboard to the previous panel</source>
        <translation>Tastaturfokus in den vorherigen Bereich</translation>
    </message>
    <message>
        <source>&amp;Tensor or variant…</source>
        <translation>&amp;Tensor oder Variante…</translation>
    </message>
    <message>
        <source>Find a tensor or a variant by a few letters of its name</source>
        <translation>Einen Tensor oder eine Variante über einige Buchstaben des Namens finden</translation>
    </message>
    <message>
        <source>&amp;Parent module</source>
        <translation>Übergeordnetes &amp;Modul</translation>
    </message>
    <message>
        <source>The module that contains the selected tensor</source>
        <translation>Das Modul, das den gewählten Tensor enthält</translation>
    </message>
    <message>
        <source>Same tensor in the &amp;next block</source>
        <translation>Gleicher Tensor im nächsten Bl&amp;ock</translation>
    </message>
    <message>
        <source>The tensor of the same kind in the next block</source>
        <translation>Der Tensor gleicher Art im nächsten Block</translation>
    </message>
    <message>
        <source>Same tensor in the pre&amp;vious block</source>
        <translation>Gleicher Tensor im vorherigen Blo&amp;ck</translation>
    </message>
    <message>
        <source>The tensor of the same kind in the previous block</source>
        <translation>Der Tensor gleicher Art im vorherigen Block</translation>
    </message>
    <message>
        <source>Command palette</source>
        <translation>Befehlspalette</translation>
    </message>
    <message>
        <source>Type a few letters of a command</source>
        <translation>Einige Buchstaben eines Befehls eingeben</translation>
    </message>
    <message>
        <source>No command is called that.</source>
        <translation>Kein Befehl heißt so.</translation>
    </message>
    <message>
        <source>Go to tensor or variant</source>
        <translation>Zu Tensor oder Variante</translation>
    </message>
    <message>
        <source>Type a few letters of a tensor or a variant</source>
        <translation>Einige Buchstaben eines Tensors oder einer Variante eingeben</translation>
    </message>
    <message>
        <source>The report has no tensor or variant of that name.</source>
        <translation>Der Bericht hat keinen Tensor und keine Variante dieses Namens.</translation>
    </message>
    <message>
        <source>keyboard shortcuts commands keys import export</source>
        <translation>Tastenkürzel Shortcuts Befehle Tasten importieren exportieren</translation>
    </message>
    <message>
        <source>&amp;Help on this</source>
        <translation>&amp;Hilfe hierzu</translation>
    </message>
    <message>
        <source>Define the metric under the mouse or the keyboard, or explain the view</source>
        <translation>Die Metrik unter der Maus oder der Tastatur definieren, oder die Ansicht erklären</translation>
    </message>
    <message>
        <source>&amp;Guide</source>
        <translation>&amp;Leitfaden</translation>
    </message>
    <message>
        <source>Open the guide to the views</source>
        <translation>Den Leitfaden zu den Ansichten öffnen</translation>
    </message>
    <message>
        <source>&amp;Metrics</source>
        <translation>&amp;Metriken</translation>
    </message>
    <message>
        <source>Open the definitions of all metrics</source>
        <translation>Die Definitionen aller Metriken öffnen</translation>
    </message>
    <message>
        <source>&amp;Five-minute tour</source>
        <translation>&amp;Rundgang in fünf Minuten</translation>
    </message>
    <message>
        <source>Open the example, and the steps of a tour beside it</source>
        <translation>Das Beispiel öffnen, und daneben die Schritte eines Rundgangs</translation>
    </message>
</context>
<context>
    <name>ulp::views::ActionCatalog</name>
    <message>
        <source>Window</source>
        <translation>Fenster</translation>
    </message>
</context>
<context>
    <name>ulp::views::BitByBitView</name>
    <message>
        <source>Tensors that differ</source>
        <translation>Abweichende Tensoren</translation>
    </message>
    <message>
        <source>Run to compare with</source>
        <translation>Vergleichslauf</translation>
    </message>
    <message>
        <source>The run that the other one is compared with</source>
        <translation>Der Lauf, mit dem der andere verglichen wird</translation>
    </message>
    <message>
        <source>Run to compare</source>
        <translation>Zu vergleichender Lauf</translation>
    </message>
    <message>
        <source>The run that is compared</source>
        <translation>Der Lauf, der verglichen wird</translation>
    </message>
    <message>
        <source>with</source>
        <translation>mit</translation>
    </message>
    <message>
        <source>Account of the differences</source>
        <translation>Beschreibung der Abweichungen</translation>
    </message>
    <message>
        <source>Here two runs are compared number by number: the first tensor that differs, what still agreed, and why.</source>
        <translation>Hier werden zwei Läufe Zahl für Zahl verglichen: der erste abweichende Tensor, was bis dahin übereinstimmt, und warum.</translation>
    </message>
    <message>
        <source>The baseline</source>
        <translation>Die Basis</translation>
    </message>
    <message>
        <source>The selected variant</source>
        <translation>Die gewählte Variante</translation>
    </message>
    <message>
        <source>For runs of studies</source>
        <translation>Für Läufe von Studien</translation>
    </message>
    <message>
        <source>Where two dumps part is told by their culprits, in the findings.</source>
        <translation>Wo zwei Dumps auseinandergehen, sagen ihre Verursacher in den Befunden.</translation>
    </message>
    <message>
        <source>Nothing to compare</source>
        <translation>Nichts zu vergleichen</translation>
    </message>
    <message>
        <source>The report has no variant yet.</source>
        <translation>Der Bericht hat noch keine Variante.</translation>
    </message>
    <message>
        <source>Comparing %1 with %2…</source>
        <translation>%1 wird mit %2 verglichen…</translation>
    </message>
    <message>
        <source>%1 % of the tensors</source>
        <translation>%1 % der Tensoren</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>Anhalten</translation>
    </message>
    <message>
        <source>Stopped</source>
        <translation>Angehalten</translation>
    </message>
    <message>
        <source>The runs were not compared to the end.</source>
        <translation>Die Läufe wurden nicht zu Ende verglichen.</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>Vergleichen</translation>
    </message>
    <message>
        <source>These runs cannot be compared</source>
        <translation>Diese Läufe lassen sich nicht vergleichen</translation>
    </message>
    <message>
        <source>Bit by bit</source>
        <translation>Bit für Bit</translation>
    </message>
    <message>
        <source>Where two runs first hold another number, and why</source>
        <translation>Wo zwei Läufe zuerst eine andere Zahl haben, und warum</translation>
    </message>
    <message>
        <source>%1 and %2 more</source>
        <translation>%1 und %2 weitere</translation>
    </message>
    <message>
        <source>%1 rad at position %2</source>
        <translation>%1 rad an Position %2</translation>
    </message>
    <message>
        <source>Equal elements</source>
        <translation>Gleiche Elemente</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 von %2</translation>
    </message>
    <message>
        <source>Relative error</source>
        <translation>Relativer Fehler</translation>
    </message>
    <message>
        <source>%1 RMS, %2 at most</source>
        <translation>RMS %1, höchstens %2</translation>
    </message>
    <message>
        <source>%1 on average, %2 at most</source>
        <translation>im Mittel %1, höchstens %2</translation>
    </message>
    <message>
        <source>Not finite</source>
        <translation>Nicht endlich</translation>
    </message>
    <message>
        <source>%1 elements and %2</source>
        <translation>%1 Elemente und %2</translation>
    </message>
    <message>
        <source>Inputs that agree</source>
        <translation>Gleiche Eingaben</translation>
    </message>
    <message>
        <source>Inputs that differ</source>
        <translation>Abweichende Eingaben</translation>
    </message>
    <message>
        <source>Inputs</source>
        <translation>Eingaben</translation>
    </message>
    <message>
        <source>none of the compared tensors</source>
        <translation>keiner der verglichenen Tensoren</translation>
    </message>
    <message>
        <source>Angles are off by up to</source>
        <translation>Winkel weichen ab um bis zu</translation>
    </message>
    <message>
        <source>Equal before it</source>
        <translation>Gleich davor</translation>
    </message>
    <message>
        <source>nothing</source>
        <translation>nichts</translation>
    </message>
    <message>
        <source>Equal all the same behind it</source>
        <translation>Trotzdem gleich dahinter</translation>
    </message>
    <message>
        <source>First difference, %1:</source>
        <translation>Erste Abweichung, %1:</translation>
    </message>
    <message>
        <source>Tensor</source>
        <translation>Tensor</translation>
    </message>
    <message>
        <source>Pass</source>
        <translation>Durchlauf</translation>
    </message>
    <message>
        <source>Share of the elements with the same value in both runs</source>
        <translation>Anteil der Elemente mit demselben Wert in beiden Läufen</translation>
    </message>
    <message>
        <source>Root mean square of the difference over that of the baseline</source>
        <translation>Quadratisches Mittel der Differenz, geteilt durch das der Basis</translation>
    </message>
    <message numerus="yes">
        <source>%1 and %2 are equal: every compared element of %n tensor(s)</source>
        <translation>
            <numerusform>%1 und %2 sind gleich: jedes verglichene Element von %n Tensor</numerusform>
            <numerusform>%1 und %2 sind gleich: jedes verglichene Element von %n Tensoren</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 differs from %2: %3 of %n compared tensor(s) are equal</source>
        <translation>
            <numerusform>%1 weicht von %2 ab: %3 von %n verglichenen Tensor ist gleich</numerusform>
            <numerusform>%1 weicht von %2 ab: %3 von %n verglichenen Tensoren sind gleich</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Of %n tensor(s) only samples were kept and compared.</source>
        <translation>
            <numerusform>Von %n Tensor wurden nur Stichproben aufbewahrt und verglichen.</numerusform>
            <numerusform>Von %n Tensoren wurden nur Stichproben aufbewahrt und verglichen.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n tensor(s) were kept by one of the runs alone.</source>
        <translation>
            <numerusform>%n Tensor wurde nur von einem der Läufe aufbewahrt.</numerusform>
            <numerusform>%n Tensoren wurden nur von einem der Läufe aufbewahrt.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n tensor(s) have different shapes in the two runs and were not compared; do they have the same input?</source>
        <translation>
            <numerusform>%n Tensor hat in den beiden Läufen verschiedene Formen und wurde nicht verglichen; haben sie dieselbe Eingabe?</numerusform>
            <numerusform>%n Tensoren haben in den beiden Läufen verschiedene Formen und wurden nicht verglichen; haben sie dieselbe Eingabe?</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1: all %n tensor(s) equal</source>
        <translation>
            <numerusform>%1: %n Tensor, gleich</numerusform>
            <numerusform>%1: alle %n Tensoren gleich</numerusform>
        </translation>
    </message>
    <message>
        <source>Only one of the runs has a gradient of %1.</source>
        <translation>Nur einer der beiden Läufe hat einen Gradienten von %1.</translation>
    </message>
    <message>
        <source>Made by another operation</source>
        <translation>Von einer anderen Operation</translation>
    </message>
    <message>
        <source>%1 in %2, %3 in %4</source>
        <translation>%1 in %2, %3 in %4</translation>
    </message>
    <message>
        <source>%1 has %2; what differs is not precision alone.</source>
        <translation>%1 hat %2; was sich unterscheidet, ist nicht die Genauigkeit allein.</translation>
    </message>
    <message>
        <source>Two runs part somewhere. What is open is compared with nothing.</source>
        <translation>Zwei Läufe gehen irgendwo auseinander. Was offen ist, wird mit nichts verglichen.</translation>
    </message>
</context>
<context>
    <name>ulp::views::BookmarkModel</name>
    <message>
        <source>Bookmark</source>
        <translation>Lesezeichen</translation>
    </message>
    <message>
        <source>Note</source>
        <translation>Notiz</translation>
    </message>
    <message>
        <source>Key</source>
        <translation>Taste</translation>
    </message>
</context>
<context>
    <name>ulp::views::Bookmarks</name>
    <message>
        <source>%1. The file is left as it is; bookmarks of this session are not saved until it is repaired or moved away.</source>
        <translation>%1. Die Datei bleibt unverändert; Lesezeichen dieser Sitzung werden erst gespeichert, wenn sie repariert oder verschoben ist.</translation>
    </message>
    <message>
        <source>%1. The bookmarks stay in this window; they are saved with the next change, or with “Try again”.</source>
        <translation>%1. Die Lesezeichen bleiben in diesem Fenster; gespeichert werden sie mit der nächsten Änderung oder mit „Erneut versuchen“.</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>Erneut versuchen</translation>
    </message>
</context>
<context>
    <name>ulp::views::BookmarksView</name>
    <message>
        <source>Bookmarks</source>
        <translation>Lesezeichen</translation>
    </message>
    <message>
        <source>Add a bookmark</source>
        <translation>Lesezeichen hinzufügen</translation>
    </message>
    <message>
        <source>Remove this bookmark</source>
        <translation>Dieses Lesezeichen entfernen</translation>
    </message>
    <message>
        <source>Here are the places that you want to come back to, with your notes.</source>
        <translation>Hier stehen die Orte, zu denen man zurückkehren will, mit Notizen.</translation>
    </message>
    <message>
        <source>No bookmarks yet</source>
        <translation>Noch keine Lesezeichen</translation>
    </message>
    <message>
        <source>Ctrl+B marks what is selected. Bookmarks and notes are kept beside the report.</source>
        <translation>Strg+B merkt die Auswahl. Lesezeichen und Notizen liegen beim Bericht.</translation>
    </message>
    <message>
        <source>Bookmark the selection</source>
        <translation>Lesezeichen setzen</translation>
    </message>
    <message>
        <source>Places to come back to, with notes</source>
        <translation>Orte zum Wiederkommen, mit Notizen</translation>
    </message>
</context>
<context>
    <name>ulp::views::CauseDialog</name>
    <message>
        <source>&amp;Replace results that the folder holds</source>
        <translation>Er&amp;gebnisse ersetzen, die der Ordner enthält</translation>
    </message>
    <message>
        <source>Prove the cause</source>
        <translation>Ursache belegen</translation>
    </message>
    <message>
        <source>Why %1 differs from %2</source>
        <translation>Warum %1 von %2 abweicht</translation>
    </message>
    <message>
        <source>&amp;Folder</source>
        <translation>&amp;Ordner</translation>
    </message>
    <message>
        <source>&amp;Device</source>
        <translation>Ge&amp;rät</translation>
    </message>
    <message>
        <source>&amp;Threads</source>
        <translation>&amp;Threads</translation>
    </message>
    <message>
        <source>&amp;Settings</source>
        <translation>&amp;Einstellungen</translation>
    </message>
    <message>
        <source>&amp;Prove the cause</source>
        <translation>&amp;Ursache belegen</translation>
    </message>
    <message>
        <source>Where these runs go. Empty: %1, or the next free of -2, -3 … where that holds other things</source>
        <translation>Wohin diese Läufe kommen. Leer: %1 oder, wenn dort anderes liegt, der nächste von -2, -3 …, der frei ist</translation>
    </message>
    <message>
        <source>Off: runs of this proof are kept and continued, and other things are left alone</source>
        <translation>Aus: Läufe dieses Belegs bleiben und werden fortgesetzt, anderes bleibt unberührt</translation>
    </message>
    <message>
        <source>&amp;Browse…</source>
        <translation>&amp;Durchsuchen…</translation>
    </message>
    <message>
        <source>Choose a folder for these runs</source>
        <translation>Ordner für diese Läufe wählen</translation>
    </message>
    <message>
        <source>as the study says</source>
        <translation>wie in der Studie</translation>
    </message>
    <message>
        <source>%1, as the runs</source>
        <translation>%1, wie die Läufe</translation>
    </message>
    <message>
        <source>auto, cpu, cuda or cuda:N. Another device makes other numbers</source>
        <translation>auto, cpu, cuda oder cuda:N. Ein anderes Gerät rechnet andere Zahlen</translation>
    </message>
    <message>
        <source>one a core</source>
        <translation>einer je Kern</translation>
    </message>
    <message>
        <source>Threads on the CPU. Another number may change the last bits of results</source>
        <translation>Threads auf der CPU. Eine andere Zahl kann die letzten Bits der Ergebnisse ändern</translation>
    </message>
    <message>
        <source>KEY=VALUE, one a line, such as %1</source>
        <translation>KEY=VALUE, eines je Zeile, etwa %1</translation>
    </message>
    <message>
        <source>Settings for every one of these runs, in place of those of the study</source>
        <translation>Einstellungen für jeden dieser Läufe, anstelle derer der Studie</translation>
    </message>
</context>
<context>
    <name>ulp::views::CausePane</name>
    <message>
        <source>nothing</source>
        <translation>nichts</translation>
    </message>
    <message>
        <source>%1 (leaves no difference of settings)</source>
        <translation>%1 (lässt keinen Unterschied der Einstellungen)</translation>
    </message>
    <message>
        <source>Finding out what to run…</source>
        <translation>Die nötigen Läufe werden ermittelt…</translation>
    </message>
    <message>
        <source>Judging the runs…</source>
        <translation>Die Läufe werden ausgewertet…</translation>
    </message>
    <message>
        <source>Starting…</source>
        <translation>Startet…</translation>
    </message>
    <message numerus="yes">
        <source>Waiting in the queue, %n study(s) before it</source>
        <translation>
            <numerusform>Wartet in der Warteschlange, %n Studie davor</numerusform>
            <numerusform>Wartet in der Warteschlange, %n Studien davor</numerusform>
        </translation>
    </message>
    <message>
        <source>Stopping…</source>
        <translation>Wird angehalten…</translation>
    </message>
    <message>
        <source>Running again, with one change at a time: %1 %</source>
        <translation>Läuft noch einmal, mit jeweils einer Änderung: %1 %</translation>
    </message>
    <message>
        <source>%1 left</source>
        <translation>noch %1</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 von %2</translation>
    </message>
    <message>
        <source>Changed</source>
        <translation>Geändert</translation>
    </message>
    <message>
        <source>What of the settings was made like the baseline&apos;s</source>
        <translation>Welche Einstellung wie bei der Basis gesetzt wurde</translation>
    </message>
    <message>
        <source>First equal, %</source>
        <translation>Erster gleich, %</translation>
    </message>
    <message>
        <source>Equal elements of %1, where the runs differ first</source>
        <translation>Gleiche Elemente von %1, wo die Läufe zuerst abweichen</translation>
    </message>
    <message>
        <source>Logits equal, %</source>
        <translation>Logits gleich, %</translation>
    </message>
    <message>
        <source>Equal elements of the logits</source>
        <translation>Gleiche Elemente der Logits</translation>
    </message>
    <message>
        <source>Tensors equal</source>
        <translation>Tensoren gleich</translation>
    </message>
    <message>
        <source>Tensors that are equal in every element</source>
        <translation>Tensoren, die in jedem Element gleich sind</translation>
    </message>
    <message>
        <source>Prove the cause</source>
        <translation>Ursache belegen</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>Anhalten</translation>
    </message>
    <message>
        <source>Runs with one change at a time</source>
        <translation>Läufe mit jeweils einer Änderung</translation>
    </message>
    <message>
        <source>Lines of the study that matter</source>
        <translation>Entscheidende Zeilen der Studie</translation>
    </message>
    <message>
        <source>Open these runs</source>
        <translation>Diese Läufe öffnen</translation>
    </message>
    <message>
        <source>Progress of the proof</source>
        <translation>Fortschritt des Belegs</translation>
    </message>
    <message>
        <source>Open the report of these runs in place of this one</source>
        <translation>Den Bericht dieser Läufe anstelle dieses öffnen</translation>
    </message>
    <message>
        <source>Prove again</source>
        <translation>Noch einmal belegen</translation>
    </message>
    <message>
        <source>Run %1 and %2 again in the background, and once more for each difference of their settings, with that one taken back</source>
        <translation>%1 und %2 im Hintergrund noch einmal laufen lassen, dazu je ein Lauf für jeden Unterschied ihrer Einstellungen, in dem dieser zurückgenommen ist</translation>
    </message>
    <message>
        <source>%1 once more, with one change at a time</source>
        <translation>%1 noch einmal, mit jeweils einer Änderung</translation>
    </message>
    <message>
        <source>New folder</source>
        <translation>Neuer Ordner</translation>
    </message>
    <message>
        <source>Options…</source>
        <translation>Optionen…</translation>
    </message>
    <message>
        <source>Keep what the folder holds, and prove it in a free one beside it</source>
        <translation>Behalten, was der Ordner enthält, und in einem freien daneben belegen</translation>
    </message>
    <message>
        <source>Replace</source>
        <translation>Ersetzen</translation>
    </message>
    <message>
        <source>Remove what Ulpscope wrote into the folder, and prove the cause there</source>
        <translation>Entfernen, was Ulpscope in den Ordner geschrieben hat, und die Ursache dort belegen</translation>
    </message>
    <message>
        <source>Choose the folder, device, threads and settings of these runs, and prove the cause</source>
        <translation>Ordner, Gerät, Threads und Einstellungen dieser Läufe wählen und die Ursache belegen</translation>
    </message>
    <message>
        <source>Prove again…</source>
        <translation>Erneut belegen…</translation>
    </message>
</context>
<context>
    <name>ulp::views::CauseProver</name>
    <message>
        <source>No report is open.</source>
        <translation>Es ist kein Bericht geöffnet.</translation>
    </message>
    <message>
        <source>Dumps hold what another program computed. Only a study can be run again.</source>
        <translation>Dumps enthalten, was ein anderes Programm gerechnet hat. Nur eine Studie kann noch einmal laufen.</translation>
    </message>
    <message>
        <source>This report lies in no folder that its runs could be repeated beside.</source>
        <translation>Dieser Bericht liegt in keinem Ordner, neben dem seine Läufe wiederholt werden könnten.</translation>
    </message>
    <message>
        <source>The report does not say with which settings its runs were made.</source>
        <translation>Der Bericht sagt nicht, mit welchen Einstellungen seine Läufe gemacht wurden.</translation>
    </message>
    <message>
        <source>%1 holds other things than runs of this proof.</source>
        <translation>%1 enthält anderes als Läufe dieses Belegs.</translation>
    </message>
    <message>
        <source>Replace what Ulpscope wrote there, or prove it in a new folder.</source>
        <translation>Ersetzen Sie, was Ulpscope dort geschrieben hat, oder belegen Sie es in einem neuen Ordner.</translation>
    </message>
    <message>
        <source>The runs of this proof in %1 cannot be continued: %2.</source>
        <translation>Die Läufe dieses Belegs in %1 können nicht fortgesetzt werden: %2.</translation>
    </message>
    <message>
        <source>Why %1 differs is not proved. %2</source>
        <translation>Warum %1 abweicht, ist nicht belegt. %2</translation>
    </message>
    <message>
        <source>New folder</source>
        <translation>Neuer Ordner</translation>
    </message>
    <message>
        <source>Replace</source>
        <translation>Ersetzen</translation>
    </message>
</context>
<context>
    <name>ulp::views::ClusterPane</name>
    <message>
        <source>Asking the cluster…</source>
        <translation>Der Cluster wird gefragt …</translation>
    </message>
    <message>
        <source>Show results</source>
        <translation>Ergebnisse zeigen</translation>
    </message>
    <message>
        <source>Put together what the tasks have given so far, and open it</source>
        <translation>Zusammensetzen, was die Aufgaben bisher ergeben haben, und öffnen</translation>
    </message>
    <message>
        <source>Again</source>
        <translation>Nochmal</translation>
    </message>
    <message>
        <source>Submit the tasks again that failed</source>
        <translation>Die Aufgaben erneut übergeben, die gescheitert sind</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Take back the tasks that wait or run</source>
        <translation>Die Aufgaben zurücknehmen, die warten oder laufen</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>Entfernen</translation>
    </message>
    <message>
        <source>Remove the study from this list; its tasks go on, its files stay</source>
        <translation>Die Studie aus dieser Liste entfernen; ihre Aufgaben laufen weiter, ihre Dateien bleiben</translation>
    </message>
    <message>
        <source>nodes are busy</source>
        <translation>Knoten sind belegt</translation>
    </message>
    <message>
        <source>others come first</source>
        <translation>andere haben Vorrang</translation>
    </message>
    <message>
        <source>waits for other tasks</source>
        <translation>wartet auf andere Aufgaben</translation>
    </message>
    <message>
        <source>as many run as may at once</source>
        <translation>so viele laufen, wie zugleich dürfen</translation>
    </message>
    <message>
        <source>its time has not come</source>
        <translation>die Zeit ist noch nicht gekommen</translation>
    </message>
    <message>
        <source>you may not run more at once</source>
        <translation>Sie dürfen nicht mehr zugleich ausführen</translation>
    </message>
    <message>
        <source>asks for more time than it may</source>
        <translation>verlangt mehr Zeit als erlaubt</translation>
    </message>
    <message>
        <source>asks for more nodes than there are</source>
        <translation>verlangt mehr Knoten, als es gibt</translation>
    </message>
    <message>
        <source>the node is not available</source>
        <translation>der Knoten ist nicht verfügbar</translation>
    </message>
    <message>
        <source>held back by you</source>
        <translation>von Ihnen zurückgehalten</translation>
    </message>
    <message>
        <source>held back by an administrator</source>
        <translation>von einem Verwalter zurückgehalten</translation>
    </message>
    <message>
        <source>Slurm does not answer</source>
        <translation>Slurm antwortet nicht</translation>
    </message>
    <message numerus="yes">
        <source>%n pending</source>
        <translation>
            <numerusform>%n wartet</numerusform>
            <numerusform>%n warten</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 (%2)</source>
        <translation>%1 (%2)</translation>
    </message>
    <message numerus="yes">
        <source>%n running</source>
        <translation>
            <numerusform>%n läuft</numerusform>
            <numerusform>%n laufen</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n not submitted</source>
        <translation>
            <numerusform>%n nicht eingereicht</numerusform>
            <numerusform>%n nicht eingereicht</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n failed</source>
        <translation>
            <numerusform>%n gescheitert</numerusform>
            <numerusform>%n gescheitert</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n done</source>
        <translation>
            <numerusform>%n fertig</numerusform>
            <numerusform>%n fertig</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ulp::views::Compare</name>
    <message>
        <source>Report</source>
        <translation>Bericht</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>Modell</translation>
    </message>
    <message>
        <source>Runs</source>
        <translation>Läufe</translation>
    </message>
    <message>
        <source>Reference</source>
        <translation>Referenz</translation>
    </message>
    <message>
        <source>Errors can be put side by side when all reports have the same reference: weights, tokens and settings</source>
        <translation>Fehler sind vergleichbar, wenn alle Berichte dieselbe Referenz haben: Gewichte, Token und Einstellungen</translation>
    </message>
    <message>
        <source>the same</source>
        <translation>dieselbe</translation>
    </message>
    <message>
        <source>▲ another: weights, tokens or settings differ</source>
        <translation>▲ eine andere: Gewichte, Token oder Einstellungen weichen ab</translation>
    </message>
    <message>
        <source>Tensor</source>
        <translation>Tensor</translation>
    </message>
    <message>
        <source>Pass</source>
        <translation>Durchlauf</translation>
    </message>
    <message>
        <source>Shape</source>
        <translation>Form</translation>
    </message>
    <message>
        <source>Kind</source>
        <translation>Art</translation>
    </message>
    <message>
        <source>Rule</source>
        <translation>Regel</translation>
    </message>
    <message>
        <source>Pair</source>
        <translation>Paar</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>Name</translation>
    </message>
    <message>
        <source>Reads as</source>
        <translation>Gelesen als</translation>
    </message>
    <message>
        <source>All %1 tensors correspond.</source>
        <translation>Alle %1 Tensoren entsprechen einander.</translation>
    </message>
    <message>
        <source>%1 tensors correspond, %2 differ in shape, %3 are only in %4, %5 only in %6.</source>
        <translation>%1 Tensoren entsprechen einander, %2 haben verschiedene Form, %3 gibt es nur in %4, %5 nur in %6.</translation>
    </message>
</context>
<context>
    <name>ulp::views::CompareView</name>
    <message>
        <source>Open reports</source>
        <translation>Geöffnete Berichte</translation>
    </message>
    <message>
        <source>Tensors only in the first report</source>
        <translation>Tensoren nur im ersten Bericht</translation>
    </message>
    <message>
        <source>Tensors only in the other report</source>
        <translation>Tensoren nur im anderen Bericht</translation>
    </message>
    <message>
        <source>Rules and pairs of names</source>
        <translation>Regeln und Namenspaare</translation>
    </message>
    <message>
        <source>Add rule</source>
        <translation>Regel hinzufügen</translation>
    </message>
    <message>
        <source>Pair the two chosen</source>
        <translation>Gewählte zuordnen</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>Entfernen</translation>
    </message>
    <message>
        <source>Add a report…</source>
        <translation>Bericht hinzufügen…</translation>
    </message>
    <message>
        <source>Close this report</source>
        <translation>Diesen Bericht schließen</translation>
    </message>
    <message>
        <source>Load a mapping…</source>
        <translation>Zuordnung laden…</translation>
    </message>
    <message>
        <source>Save the mapping…</source>
        <translation>Zuordnung speichern…</translation>
    </message>
    <message>
        <source>Names that match, as ^h\.(\d+)</source>
        <translation>Passende Namen, etwa ^h\.(\d+)</translation>
    </message>
    <message>
        <source>Regular expression of names</source>
        <translation>Regulärer Ausdruck für Namen</translation>
    </message>
    <message>
        <source>read as, as model.layers.$1</source>
        <translation>gelesen als, etwa model.layers.$1</translation>
    </message>
    <message>
        <source>What matching names read as</source>
        <translation>Wie passende Namen gelesen werden</translation>
    </message>
    <message>
        <source>Here any number of reports are compared with each other.</source>
        <translation>Hier werden beliebig viele Berichte miteinander verglichen.</translation>
    </message>
    <message>
        <source>Matching tensors by name…</source>
        <translation>Tensoren werden nach Namen zugeordnet…</translation>
    </message>
    <message>
        <source>Only in %1</source>
        <translation>Nur in %1</translation>
    </message>
    <message numerus="yes">
        <source>Pair %n alike</source>
        <translation>
            <numerusform>%n ähnliches Paar zuordnen</numerusform>
            <numerusform>%n ähnliche Paare zuordnen</numerusform>
        </translation>
    </message>
    <message>
        <source>Pairs tensors of equal shape, pass and layer whose names have most in common</source>
        <translation>Ordnet Tensoren gleicher Form, gleichen Durchlaufs und gleicher Schicht zu, deren Namen am meisten gemeinsam haben</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>Vergleich</translation>
    </message>
    <message>
        <source>Open reports and how their tensors correspond</source>
        <translation>Geöffnete Berichte und wie ihre Tensoren einander entsprechen</translation>
    </message>
    <message>
        <source>The others are compared with this report</source>
        <translation>Die anderen werden mit diesem Bericht verglichen</translation>
    </message>
    <message>
        <source>Choose one of them to see which tensors belong together.</source>
        <translation>Wählen Sie einen davon, um zu sehen, welche Tensoren zusammengehören.</translation>
    </message>
    <message>
        <source>One report is open</source>
        <translation>Ein Bericht ist geöffnet</translation>
    </message>
    <message>
        <source>Here the tensors of another one are matched with those of this report.</source>
        <translation>Hier werden die Tensoren eines weiteren denen dieses Berichts zugeordnet.</translation>
    </message>
</context>
<context>
    <name>ulp::views::ConfigDiff</name>
    <message>
        <source>default</source>
        <translation>Vorgabe</translation>
    </message>
    <message>
        <source>study</source>
        <translation>Studie</translation>
    </message>
    <message>
        <source>float32 everywhere</source>
        <translation>float32 überall</translation>
    </message>
    <message>
        <source>variant</source>
        <translation>Variante</translation>
    </message>
    <message>
        <source>command line</source>
        <translation>Befehlszeile</translation>
    </message>
    <message>
        <source>the run itself</source>
        <translation>der Lauf selbst</translation>
    </message>
    <message>
        <source>The report does not say what %1 used for %2.</source>
        <translation>Der Bericht sagt nicht, was %1 für %2 verwendet hat.</translation>
    </message>
    <message>
        <source>%1 = %2 in %3</source>
        <translation>%1 = %2 in %3</translation>
    </message>
    <message>
        <source>%1 = %2 in %3, set by: %4</source>
        <translation>%1 = %2 in %3, gesetzt von: %4</translation>
    </message>
    <message>
        <source>Key</source>
        <translation>Schlüssel</translation>
    </message>
    <message>
        <source>What the others are compared with</source>
        <translation>Womit die anderen verglichen werden</translation>
    </message>
    <message>
        <source>Set apart where it differs from %1</source>
        <translation>Hervorgehoben, wo es von %1 abweicht</translation>
    </message>
    <message>
        <source>value</source>
        <translation>Wert</translation>
    </message>
    <message>
        <source>set by</source>
        <translation>gesetzt von</translation>
    </message>
    <message>
        <source>follows</source>
        <translation>folgt</translation>
    </message>
</context>
<context>
    <name>ulp::views::ConfigDiffView</name>
    <message>
        <source>Configuration of the runs</source>
        <translation>Konfiguration der Läufe</translation>
    </message>
    <message>
        <source>Filter keys and values</source>
        <translation>Schlüssel und Werte filtern</translation>
    </message>
    <message>
        <source>Differences only</source>
        <translation>Nur Unterschiede</translation>
    </message>
    <message>
        <source>Show only the keys in which runs differ</source>
        <translation>Nur die Schlüssel zeigen, in denen sich Läufe unterscheiden</translation>
    </message>
    <message>
        <source>Here the runs&apos; configurations stand side by side, with who set each key.</source>
        <translation>Hier stehen die Konfigurationen der Läufe nebeneinander, mit der Herkunft jedes Werts.</translation>
    </message>
    <message>
        <source>The configuration cannot be read</source>
        <translation>Die Konfiguration ist nicht lesbar</translation>
    </message>
    <message>
        <source>No configuration</source>
        <translation>Keine Konfiguration</translation>
    </message>
    <message>
        <source>This report does not say what its runs used.</source>
        <translation>Dieser Bericht sagt nicht, was seine Läufe verwendet haben.</translation>
    </message>
    <message>
        <source>All runs agree in all %1 keys</source>
        <translation>Alle Läufe stimmen in allen %1 Schlüsseln überein</translation>
    </message>
    <message>
        <source>%1 of %2 keys</source>
        <translation>%1 von %2 Schlüsseln</translation>
    </message>
    <message>
        <source>Differences of the configurations</source>
        <translation>Unterschiede der Konfigurationen</translation>
    </message>
    <message>
        <source>Configurations</source>
        <translation>Konfigurationen</translation>
    </message>
    <message>
        <source>Config diff</source>
        <translation>Konfig-Diff</translation>
    </message>
    <message>
        <source>What every run was configured with, and who set it</source>
        <translation>Womit jeder Lauf konfiguriert war und woher der Wert kommt</translation>
    </message>
</context>
<context>
    <name>ulp::views::DepthAxis</name>
    <message>
        <source>emb</source>
        <translation>Emb</translation>
    </message>
    <message>
        <source>head</source>
        <translation>head</translation>
    </message>
    <message>
        <source>Layers</source>
        <translation>Schichten</translation>
    </message>
    <message>
        <source>All rows</source>
        <translation>Alle Zeilen</translation>
    </message>
</context>
<context>
    <name>ulp::views::DepthChart</name>
    <message>
        <source>%1 variants</source>
        <translation>%1 Varianten</translation>
    </message>
    <message>
        <source>%1 along the depth of the model: %2</source>
        <translation>%1 über die Tiefe des Modells: %2</translation>
    </message>
    <message>
        <source>Tensor</source>
        <translation>Tensor</translation>
    </message>
    <message>
        <source>Pass</source>
        <translation>Durchlauf</translation>
    </message>
    <message>
        <source>Layer</source>
        <translation>Schicht</translation>
    </message>
    <message>
        <source>Elements not finite</source>
        <translation>Nicht endliche Elemente</translation>
    </message>
    <message>
        <source>Jump</source>
        <translation>Sprung</translation>
    </message>
    <message>
        <source>%1, sample %2</source>
        <translation>%1, Stichprobe %2</translation>
    </message>
    <message>
        <source>Expected for %1: unit round-off × √depth (a model)</source>
        <translation>Für %1 erwartet: Rundungseinheit × √Tiefe (ein Modell)</translation>
    </message>
    <message>
        <source>A curve appears here for each variant that has finished.</source>
        <translation>Für jede fertige Variante erscheint hier eine Kurve.</translation>
    </message>
    <message>
        <source>The report has no tensor of this kind in these passes.</source>
        <translation>Der Bericht enthält in diesen Durchläufen keinen Tensor dieser Art.</translation>
    </message>
    <message>
        <source>  ▲ × %1</source>
        <translation>  ▲ × %1</translation>
    </message>
    <message>
        <source>within noise</source>
        <translation>im Rauschen</translation>
    </message>
    <message>
        <source>%1 not finite</source>
        <translation>%1 nicht endlich</translation>
    </message>
    <message>
        <source>largest: sample %1</source>
        <translation>größter: Stichprobe %1</translation>
    </message>
    <message>
        <source>smallest: sample %1</source>
        <translation>kleinster: Stichprobe %1</translation>
    </message>
    <message>
        <source>here</source>
        <translation>hier</translation>
    </message>
    <message>
        <source>at %1</source>
        <translation>bei %1</translation>
    </message>
    <message>
        <source>ratio</source>
        <translation>Verhältnis</translation>
    </message>
    <message>
        <source>… and %1 more</source>
        <translation>… und %1 weitere</translation>
    </message>
    <message>
        <source>Expected (a model)</source>
        <translation>Erwartet (ein Modell)</translation>
    </message>
    <message>
        <source>RMS of the reference</source>
        <translation>RMS der Referenz</translation>
    </message>
    <message>
        <source>RMS of %1</source>
        <translation>RMS von %1</translation>
    </message>
</context>
<context>
    <name>ulp::views::DepthView</name>
    <message>
        <source>Logarithmic axis</source>
        <translation>Logarithmische Achse</translation>
    </message>
    <message>
        <source>Scale of the reference</source>
        <translation>Skala der Referenz</translation>
    </message>
    <message>
        <source>Mark jumps</source>
        <translation>Sprünge markieren</translation>
    </message>
    <message>
        <source>Error that a model of the format expects</source>
        <translation>Vom Modell des Formats erwarteter Fehler</translation>
    </message>
    <message>
        <source>One panel for each variant</source>
        <translation>Ein Feld je Variante</translation>
    </message>
    <message>
        <source>Use the selected variant as noise band</source>
        <translation>Gewählte Variante als Rauschband verwenden</translation>
    </message>
    <message>
        <source>95 % intervals of means over several samples</source>
        <translation>95-%-Intervalle der Mittel über mehrere Stichproben</translation>
    </message>
    <message>
        <source>Every sample of the selected variant</source>
        <translation>Jede Stichprobe der gewählten Variante</translation>
    </message>
    <message>
        <source>Pin a second cursor here</source>
        <translation>Zweiten Cursor hier anheften</translation>
    </message>
    <message>
        <source>Legend</source>
        <translation>Legende</translation>
    </message>
    <message>
        <source>Show everything</source>
        <translation>Alles zeigen</translation>
    </message>
    <message>
        <source>Rows</source>
        <translation>Zeilen</translation>
    </message>
    <message>
        <source>Rows of the depth axis: layers, every row, or one module in all layers</source>
        <translation>Zeilen der Tiefenachse: Schichten, jede Zeile oder ein Modul in allen Schichten</translation>
    </message>
    <message>
        <source>Here the error of every variant is drawn along the depth of the model, forward and backward.</source>
        <translation>Hier wird der Fehler jeder Variante über die Tiefe des Modells gezeichnet, vorwärts und rückwärts.</translation>
    </message>
    <message>
        <source>Nothing to compare yet</source>
        <translation>Noch nichts zu vergleichen</translation>
    </message>
    <message>
        <source>Curves appear here as soon as the first variant has finished.</source>
        <translation>Kurven erscheinen hier, sobald die erste Variante fertig ist.</translation>
    </message>
    <message>
        <source>the curve of %1</source>
        <translation>die Kurve von %1</translation>
    </message>
    <message>
        <source>the rows “%1”</source>
        <translation>die Zeilen „%1“</translation>
    </message>
    <message>
        <source>fewer rows</source>
        <translation>weniger Zeilen</translation>
    </message>
    <message>
        <source>Depth</source>
        <translation>Tiefe</translation>
    </message>
    <message>
        <source>Error along the depth of the model</source>
        <translation>Fehler über die Tiefe des Modells</translation>
    </message>
</context>
<context>
    <name>ulp::views::Details</name>
    <message>
        <source>Kernels</source>
        <translation>Kernel</translation>
    </message>
    <message>
        <source>Kernels of %1</source>
        <translation>Kernel von %1</translation>
    </message>
    <message>
        <source>Elements of the variant; those of %1 in brackets.</source>
        <translation>Elemente der Variante; in Klammern die von %1.</translation>
    </message>
    <message>
        <source>Module</source>
        <translation>Modul</translation>
    </message>
    <message>
        <source>Shape</source>
        <translation>Form</translation>
    </message>
    <message>
        <source>Format</source>
        <translation>Format</translation>
    </message>
    <message>
        <source>%1, all compared</source>
        <translation>%1, alle verglichen</translation>
    </message>
    <message>
        <source>%1, %2 compared</source>
        <translation>%1, %2 verglichen</translation>
    </message>
    <message>
        <source>Elements</source>
        <translation>Elemente</translation>
    </message>
    <message>
        <source>Metric</source>
        <translation>Metrik</translation>
    </message>
    <message>
        <source>Element</source>
        <translation>Element</translation>
    </message>
    <message>
        <source>Metrics of %1, %2</source>
        <translation>Metriken von %1, %2</translation>
    </message>
    <message>
        <source>Unit</source>
        <translation>Einheit</translation>
    </message>
    <message>
        <source>Mean</source>
        <translation>Mittel</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>Wert</translation>
    </message>
    <message>
        <source>Mean over the samples in which it is finite</source>
        <translation>Mittel über die Stichproben, in denen der Wert endlich ist</translation>
    </message>
    <message>
        <source>Half of the 95 % interval of the mean (Student&apos;s t)</source>
        <translation>Halbes 95-%-Intervall des Mittels (Student-t)</translation>
    </message>
    <message>
        <source>sd</source>
        <translation>Std.-Abw.</translation>
    </message>
    <message>
        <source>Standard deviation over the samples</source>
        <translation>Standardabweichung über die Stichproben</translation>
    </message>
    <message>
        <source>Smallest</source>
        <translation>Kleinster</translation>
    </message>
    <message>
        <source>Largest</source>
        <translation>Größter</translation>
    </message>
    <message>
        <source>Samples in which it is a finite number</source>
        <translation>Stichproben, in denen der Wert eine endliche Zahl ist</translation>
    </message>
    <message>
        <source>Undefined</source>
        <translation>Undefiniert</translation>
    </message>
    <message>
        <source>Samples in which it is NaN or infinite</source>
        <translation>Stichproben, in denen der Wert NaN oder unendlich ist</translation>
    </message>
    <message>
        <source>Noise floor</source>
        <translation>Grundrauschen</translation>
    </message>
    <message>
        <source>Noise</source>
        <translation>Rauschen</translation>
    </message>
    <message>
        <source>systematic</source>
        <translation>systematisch</translation>
    </message>
    <message>
        <source>within noise</source>
        <translation>im Rauschen</translation>
    </message>
    <message>
        <source>Its 95 % interval excludes 0: the error has a direction</source>
        <translation>Das 95-%-Intervall schließt 0 aus: Der Fehler hat eine Richtung</translation>
    </message>
    <message>
        <source>Gain error</source>
        <translation>Verstärkungsfehler</translation>
    </message>
    <message>
        <source>How much larger (+) or smaller (−) the tensor is than that of %1, along it</source>
        <translation>Um wie viel der Tensor größer (+) oder kleiner (−) ist als der von %1, in dessen Richtung</translation>
    </message>
    <message>
        <source>Verdict</source>
        <translation>Urteil</translation>
    </message>
    <message>
        <source>Rows of one run alone</source>
        <translation>Zeilen nur eines Laufs</translation>
    </message>
    <message>
        <source>%1 of %2, %3 of %4: their tokens have other experts</source>
        <translation>%1 von %2, %3 von %4: Ihre Token haben andere Experten</translation>
    </message>
    <message>
        <source>Line</source>
        <translation>Zeile</translation>
    </message>
    <message>
        <source>Made from</source>
        <translation>Entstanden aus</translation>
    </message>
    <message>
        <source>Inputs</source>
        <translation>Eingaben</translation>
    </message>
</context>
<context>
    <name>ulp::views::DetailsView</name>
    <message>
        <source>Metrics of the tensor</source>
        <translation>Metriken des Tensors</translation>
    </message>
    <message>
        <source>The tensor over the samples</source>
        <translation>Der Tensor über die Stichproben</translation>
    </message>
    <message>
        <source>Elements of largest difference</source>
        <translation>Elemente größter Differenz</translation>
    </message>
    <message>
        <source>No tensor is selected</source>
        <translation>Kein Tensor gewählt</translation>
    </message>
    <message>
        <source>Click a cell of the overview, a point of a chart, or a row of the table.</source>
        <translation>Eine Zelle der Übersicht, einen Punkt eines Diagramms oder eine Zeile der Tabelle anklicken.</translation>
    </message>
    <message>
        <source>No report is open</source>
        <translation>Kein Bericht geöffnet</translation>
    </message>
    <message>
        <source>Here the selected tensor is shown.</source>
        <translation>Hier steht der gewählte Tensor.</translation>
    </message>
    <message>
        <source>Largest differences in %1</source>
        <translation>Größte Differenzen in %1</translation>
    </message>
    <message>
        <source>%1 over the samples</source>
        <translation>%1 über die Stichproben</translation>
    </message>
    <message>
        <source>%1 beside the noise</source>
        <translation>%1 neben dem Rauschen</translation>
    </message>
    <message>
        <source>Details</source>
        <translation>Details</translation>
    </message>
    <message>
        <source>Everything that is known of the selected tensor</source>
        <translation>Alles, was über den gewählten Tensor bekannt ist</translation>
    </message>
</context>
<context>
    <name>ulp::views::DumpComparer</name>
    <message>
        <source>No operation makes a larger error than what it read and the formats account for.</source>
        <translation>Keine Operation macht einen größeren Fehler, als ihre Eingaben und die Formate erklären.</translation>
    </message>
    <message>
        <source>The error starts at %1. %2.</source>
        <translation>Der Fehler beginnt bei %1. %2.</translation>
    </message>
    <message>
        <source>%1 will be compared once %2 is done.</source>
        <translation>%1 wird verglichen, sobald %2 fertig ist.</translation>
    </message>
    <message>
        <source>Compare it now</source>
        <translation>Jetzt vergleichen</translation>
    </message>
    <message>
        <source>Do not compare it</source>
        <translation>Nicht vergleichen</translation>
    </message>
    <message>
        <source>Show the comparison</source>
        <translation>Vergleich zeigen</translation>
    </message>
    <message>
        <source>%1 is still being compared, and not shown.</source>
        <translation>%1 wird noch verglichen und nicht gezeigt.</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>Stoppen</translation>
    </message>
    <message>
        <source>The comparison %1 was closed and is not saved.</source>
        <translation>Der Vergleich %1 wurde geschlossen und ist nicht gespeichert.</translation>
    </message>
    <message>
        <source>Show me</source>
        <translation>Zeigen</translation>
    </message>
    <message>
        <source>Match the names…</source>
        <translation>Namen zuordnen…</translation>
    </message>
    <message>
        <source>The comparison was stopped before anything was compared.</source>
        <translation>Der Vergleich wurde gestoppt, bevor etwas verglichen war.</translation>
    </message>
    <message>
        <source>The comparison was stopped; what was finished is shown.</source>
        <translation>Der Vergleich wurde gestoppt; was fertig war, wird gezeigt.</translation>
    </message>
    <message>
        <source>The comparison was stopped; what was finished is kept.</source>
        <translation>Der Vergleich wurde gestoppt; was fertig war, bleibt erhalten.</translation>
    </message>
    <message numerus="yes">
        <source>The two dumps are identical: %n tensor(s), every one equal.</source>
        <translation>
            <numerusform>Die beiden Dumps sind identisch: %n Tensor, gleich.</numerusform>
            <numerusform>Die beiden Dumps sind identisch: %n Tensoren, alle gleich.</numerusform>
        </translation>
    </message>
    <message>
        <source>Compared %1 tensors, %2 of them are equal.</source>
        <translation>%1 Tensoren verglichen, %2 davon sind gleich.</translation>
    </message>
    <message>
        <source>Compared %1 tensors; as far as recorded statistics tell, %2 of them are equal.</source>
        <translation>%1 Tensoren verglichen; soweit aufgezeichnete Statistiken es zeigen, sind %2 davon gleich.</translation>
    </message>
    <message numerus="yes">
        <source>%n tensor(s) in the baseline alone.</source>
        <translation>
            <numerusform>%n Tensor nur in der Basis.</numerusform>
            <numerusform>%n Tensoren nur in der Basis.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n tensor(s) in the candidate alone.</source>
        <translation>
            <numerusform>%n Tensor nur im Kandidaten.</numerusform>
            <numerusform>%n Tensoren nur im Kandidaten.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n tensor(s) of different shapes.</source>
        <translation>
            <numerusform>%n Tensor mit verschiedener Form.</numerusform>
            <numerusform>%n Tensoren mit verschiedener Form.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>… and %n more note(s).</source>
        <translation>
            <numerusform>… und %n weiterer Hinweis.</numerusform>
            <numerusform>… und %n weitere Hinweise.</numerusform>
        </translation>
    </message>
    <message>
        <source>Nothing was saved: this comparison is not kept any more. It was saved before, made again, or newer ones took its place.</source>
        <translation>Nichts gespeichert: Dieser Vergleich ist nicht mehr vorhanden. Er wurde zuvor gespeichert, neu erstellt oder von neueren verdrängt.</translation>
    </message>
    <message>
        <source>In %1 numbers stop being finite. %2.</source>
        <translation>In %1 werden Zahlen nicht endlich. %2.</translation>
    </message>
    <message>
        <source>Nothing of it is NaN or infinite, as far as was recorded.</source>
        <translation>Nichts darin ist NaN oder unendlich, soweit es aufgezeichnet wurde.</translation>
    </message>
    <message numerus="yes">
        <source>%n tensor(s) hold NaN or infinity, and no call makes it of finite numbers.</source>
        <translation>
            <numerusform>%n Tensor enthält NaN oder Unendlich, und kein Aufruf macht es aus endlichen Zahlen.</numerusform>
            <numerusform>%n Tensoren enthalten NaN oder Unendlich, und kein Aufruf macht es aus endlichen Zahlen.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n tensor(s)</source>
        <translation>
            <numerusform>%n Tensor</numerusform>
            <numerusform>%n Tensoren</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Read %1 in %n unit(s).</source>
        <translation>
            <numerusform>%1 in %n Einheit gelesen.</numerusform>
            <numerusform>%1 in %n Einheiten gelesen.</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 will be opened once %2 is done.</source>
        <translation>%1 wird geöffnet, sobald %2 fertig ist.</translation>
    </message>
    <message>
        <source>Open it now</source>
        <translation>Jetzt öffnen</translation>
    </message>
    <message>
        <source>Do not open it</source>
        <translation>Nicht öffnen</translation>
    </message>
    <message>
        <source>Show the dump</source>
        <translation>Den Dump zeigen</translation>
    </message>
    <message>
        <source>%1 is still being read, and not shown.</source>
        <translation>%1 wird noch gelesen und nicht gezeigt.</translation>
    </message>
    <message>
        <source>Reading was stopped; the rest of the dump is not shown.</source>
        <translation>Das Lesen wurde angehalten; der Rest des Dumps wird nicht gezeigt.</translation>
    </message>
    <message>
        <source>Reading was stopped before anything was read.</source>
        <translation>Das Lesen wurde angehalten, bevor etwas gelesen war.</translation>
    </message>
</context>
<context>
    <name>ulp::views::DumpRecord</name>
    <message>
        <source>call</source>
        <translation>Aufruf</translation>
    </message>
    <message>
        <source>inside</source>
        <translation>innerhalb</translation>
    </message>
    <message>
        <source>frame</source>
        <translation>Frame</translation>
    </message>
    <message>
        <source>%1:%2 in %3</source>
        <translation>%1:%2 in %3</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>Name</translation>
    </message>
    <message>
        <source>Format</source>
        <translation>Format</translation>
    </message>
    <message>
        <source>Shape</source>
        <translation>Form</translation>
    </message>
    <message>
        <source>Maximum</source>
        <translation>Maximum</translation>
    </message>
    <message>
        <source>Minimum</source>
        <translation>Minimum</translation>
    </message>
    <message>
        <source>Mean</source>
        <translation>Mittel</translation>
    </message>
    <message>
        <source>L2 norm</source>
        <translation>L2-Norm</translation>
    </message>
    <message>
        <source>Checksum</source>
        <translation>Prüfsumme</translation>
    </message>
    <message>
        <source>The dumps do not hold this tensor any more.</source>
        <translation>Die Dumps enthalten diesen Tensor nicht mehr.</translation>
    </message>
    <message>
        <source>Recorded</source>
        <translation>Aufgezeichnet</translation>
    </message>
    <message>
        <source>Baseline</source>
        <translation>Basis</translation>
    </message>
    <message>
        <source>Candidate</source>
        <translation>Kandidat</translation>
    </message>
    <message>
        <source>Where it was made</source>
        <translation>Wo er entstand</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>Wert</translation>
    </message>
</context>
<context>
    <name>ulp::views::DumpRecordPane</name>
    <message>
        <source>What the dumps recorded of the tensor</source>
        <translation>Was die Dumps zum Tensor aufgezeichnet haben</translation>
    </message>
    <message>
        <source>Where the tensor was made, innermost first</source>
        <translation>Wo der Tensor entstand, innerster Aufruf zuerst</translation>
    </message>
    <message>
        <source>Where it was made</source>
        <translation>Wo er entstand</translation>
    </message>
    <message>
        <source>Recorded</source>
        <translation>Aufgezeichnet</translation>
    </message>
    <message>
        <source>Reading what the dumps recorded…</source>
        <translation>Aufzeichnungen der Dumps werden gelesen…</translation>
    </message>
</context>
<context>
    <name>ulp::views::DumpTensorPair</name>
    <message>
        <source>The dumps do not hold %1 any more</source>
        <translation>Die Dumps enthalten %1 nicht mehr</translation>
    </message>
    <message>
        <source>It was compared from %1 and %2, which were changed since. Compare them anew.</source>
        <translation>Verglichen wurde aus %1 und %2, die seither geändert wurden. Neu vergleichen.</translation>
    </message>
    <message>
        <source>What was recorded of it stands in Details. To see elements, record tensors (msprobe: task “tensor”).</source>
        <translation>Was dazu aufgezeichnet wurde, steht in den Details. Um Elemente zu sehen, Tensoren aufzeichnen (msprobe: task „tensor“).</translation>
    </message>
    <message>
        <source>Of %1 only statistics or checksums were recorded</source>
        <translation>Von %1 wurden nur Statistiken oder Prüfsummen aufgezeichnet</translation>
    </message>
    <message>
        <source>The candidate holds no elements of %1</source>
        <translation>Der Kandidat enthält keine Elemente von %1</translation>
    </message>
    <message>
        <source>The baseline holds no elements of %1</source>
        <translation>Die Basis enthält keine Elemente von %1</translation>
    </message>
    <message>
        <source>The two tensors differ in shape</source>
        <translation>Die beiden Tensoren haben verschiedene Form</translation>
    </message>
    <message>
        <source>The baseline has %1, the candidate %2, so that elements cannot be paired.</source>
        <translation>Die Basis hat %1, der Kandidat %2; Elemente lassen sich nicht paaren.</translation>
    </message>
    <message>
        <source>The comparison was made from %1 and %2.</source>
        <translation>Der Vergleich entstand aus %1 und %2.</translation>
    </message>
    <message>
        <source>Put them back there, or compare them where they are now: File › Compare dumps.</source>
        <translation>Dumps dorthin zurücklegen oder am jetzigen Ort vergleichen: Datei › Dumps vergleichen.</translation>
    </message>
    <message>
        <source>The dumps are not where they were</source>
        <translation>Die Dumps sind nicht mehr am alten Ort</translation>
    </message>
    <message>
        <source>The dumps cannot be read</source>
        <translation>Die Dumps sind nicht lesbar</translation>
    </message>
    <message>
        <source>The dump does not hold %1 any more</source>
        <translation>Der Dump enthält %1 nicht mehr</translation>
    </message>
    <message>
        <source>It was read from %1, which was changed since. Reload it (F5).</source>
        <translation>Er wurde aus %1 gelesen, das seither geändert wurde. Neu laden (F5).</translation>
    </message>
    <message>
        <source>The dump is not where it was</source>
        <translation>Der Dump ist nicht mehr dort, wo er war</translation>
    </message>
    <message>
        <source>The dump cannot be read</source>
        <translation>Der Dump kann nicht gelesen werden</translation>
    </message>
    <message>
        <source>%1
It was read from %2. Put it back there, or open it where it is now.</source>
        <translation>%1
Er wurde aus %2 gelesen. Dorthin zurücklegen oder dort öffnen, wo er jetzt ist.</translation>
    </message>
</context>
<context>
    <name>ulp::views::DumpView</name>
    <message>
        <source>input</source>
        <translation>Eingabe</translation>
    </message>
    <message>
        <source>parameter</source>
        <translation>Parameter</translation>
    </message>
    <message>
        <source>output</source>
        <translation>Ausgabe</translation>
    </message>
    <message>
        <source>gradient of output</source>
        <translation>Gradient der Ausgabe</translation>
    </message>
    <message>
        <source>gradient of input</source>
        <translation>Gradient der Eingabe</translation>
    </message>
    <message>
        <source>gradient of parameter</source>
        <translation>Gradient des Parameters</translation>
    </message>
    <message>
        <source>tensor</source>
        <translation>Tensor</translation>
    </message>
    <message>
        <source>≥ %1</source>
        <translation>≥ %1</translation>
    </message>
    <message>
        <source>Call</source>
        <translation>Aufruf</translation>
    </message>
    <message>
        <source>Tensor</source>
        <translation>Tensor</translation>
    </message>
    <message>
        <source>Max</source>
        <translation>Max</translation>
    </message>
    <message>
        <source>Min</source>
        <translation>Min</translation>
    </message>
    <message>
        <source>Mean</source>
        <translation>Mittel</translation>
    </message>
    <message>
        <source>Norm</source>
        <translation>Norm</translation>
    </message>
    <message>
        <source>NaN</source>
        <translation>NaN</translation>
    </message>
    <message>
        <source>Elements that are NaN. ≥ 1: recorded statistics tell that there are some, and not how many.</source>
        <translation>Elemente, die NaN sind. ≥ 1: Die aufgezeichnete Statistik sagt, dass es welche gibt, nicht wie viele.</translation>
    </message>
    <message>
        <source>Inf</source>
        <translation>Inf</translation>
    </message>
    <message>
        <source>Infinite elements. ≥ 1: recorded statistics tell that there are some, and not how many.</source>
        <translation>Unendliche Elemente. ≥ 1: Die aufgezeichnete Statistik sagt, dass es welche gibt, nicht wie viele.</translation>
    </message>
    <message>
        <source>Shape</source>
        <translation>Form</translation>
    </message>
    <message>
        <source>Format</source>
        <translation>Format</translation>
    </message>
    <message>
        <source>Elements</source>
        <translation>Elemente</translation>
    </message>
    <message>
        <source>recorded</source>
        <translation>aufgezeichnet</translation>
    </message>
    <message>
        <source>Tensors of the dump</source>
        <translation>Tensoren des Dumps</translation>
    </message>
    <message>
        <source>Filter tensors</source>
        <translation>Tensoren filtern</translation>
    </message>
    <message>
        <source>Compare with…</source>
        <translation>Vergleichen mit…</translation>
    </message>
    <message>
        <source>Compare with another dump</source>
        <translation>Mit einem anderen Dump vergleichen</translation>
    </message>
    <message>
        <source>Unit of the dump</source>
        <translation>Einheit des Dumps</translation>
    </message>
    <message>
        <source>Step, rank or token whose tensors are listed</source>
        <translation>Schritt, Rang oder Token, dessen Tensoren aufgelistet sind</translation>
    </message>
    <message>
        <source>Words of the call, module, tensor or format, such as “output” or “bfloat16”; numbers of a column: max&gt;100, norm&lt;=5, nan&gt;0</source>
        <translation>Wörter aus Aufruf, Modul, Tensor oder Format, etwa „output“ oder „bfloat16“; Zahlen einer Spalte: max&gt;100, norm&lt;=5, nan&gt;0</translation>
    </message>
    <message>
        <source>Not finite</source>
        <translation>Nicht endlich</translation>
    </message>
    <message>
        <source>Show tensors that hold NaN or infinity alone</source>
        <translation>Nur Tensoren mit NaN oder Unendlich zeigen</translation>
    </message>
    <message>
        <source>Open the elements</source>
        <translation>Die Elemente öffnen</translation>
    </message>
    <message>
        <source>Copy name</source>
        <translation>Namen kopieren</translation>
    </message>
    <message>
        <source>Here a dump is listed call by call, with what was recorded of every tensor.</source>
        <translation>Hier steht ein Dump Aufruf für Aufruf, mit allem, was von jedem Tensor aufgezeichnet wurde.</translation>
    </message>
    <message>
        <source>Nothing was read yet</source>
        <translation>Noch nichts gelesen</translation>
    </message>
    <message>
        <source>The tensors appear here as soon as the first unit is read.</source>
        <translation>Die Tensoren erscheinen hier, sobald die erste Einheit gelesen ist.</translation>
    </message>
    <message>
        <source>This report compares two dumps</source>
        <translation>Dieser Bericht vergleicht zwei Dumps</translation>
    </message>
    <message>
        <source>One dump alone is listed here, with what was recorded of every tensor.</source>
        <translation>Hier steht ein einzelner Dump, mit allem, was von jedem Tensor aufgezeichnet wurde.</translation>
    </message>
    <message>
        <source>Open the candidate alone</source>
        <translation>Den Kandidaten allein öffnen</translation>
    </message>
    <message>
        <source>This report is not of a dump</source>
        <translation>Dieser Bericht ist nicht von einem Dump</translation>
    </message>
    <message>
        <source>File › Open folder or a drop opens what %1 or another tool recorded, and lists it here call by call.</source>
        <translation>Datei › Ordner öffnen oder Ablegen öffnet, was %1 oder ein anderes Werkzeug aufgezeichnet hat, und listet es hier Aufruf für Aufruf auf.</translation>
    </message>
    <message numerus="yes">
        <source>%n tensor(s)</source>
        <translation>
            <numerusform>%n Tensor</numerusform>
            <numerusform>%n Tensoren</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 von %2</translation>
    </message>
    <message>
        <source>No call makes NaN or infinity of finite numbers.</source>
        <translation>Kein Aufruf macht aus endlichen Zahlen NaN oder Unendlich.</translation>
    </message>
    <message>
        <source>the tensors that are finite</source>
        <translation>die endlichen Tensoren</translation>
    </message>
    <message>
        <source>the tensors that the filter “%1” left out</source>
        <translation>die Tensoren, die der Filter „%1“ weggelassen hat</translation>
    </message>
    <message>
        <source>Tensors of %1</source>
        <translation>Tensoren von %1</translation>
    </message>
    <message>
        <source>Dump</source>
        <translation>Dump</translation>
    </message>
    <message>
        <source>A dump call by call, with what was recorded</source>
        <translation>Ein Dump Aufruf für Aufruf, mit dem Aufgezeichneten</translation>
    </message>
    <message>
        <source>Open a folder…</source>
        <translation>Ordner öffnen…</translation>
    </message>
</context>
<context>
    <name>ulp::views::EffectivePanel</name>
    <message>
        <source>%1, set by: %2, line %3</source>
        <translation>%1, gesetzt von: %2, Zeile %3</translation>
    </message>
    <message>
        <source>%1, set by: %2</source>
        <translation>%1, gesetzt von: %2</translation>
    </message>
    <message>
        <source>Key</source>
        <translation>Schlüssel</translation>
    </message>
    <message>
        <source>What this run uses, and who set it</source>
        <translation>Was dieser Lauf verwendet und woher es kommt</translation>
    </message>
    <message>
        <source>Effective configuration of every run</source>
        <translation>Effektive Konfiguration jedes Laufs</translation>
    </message>
    <message>
        <source>Differences only</source>
        <translation>Nur Unterschiede</translation>
    </message>
    <message>
        <source>Show only the keys in which runs differ</source>
        <translation>Nur die Schlüssel zeigen, in denen sich Läufe unterscheiden</translation>
    </message>
    <message>
        <source>Shown once the study has no problems.</source>
        <translation>Erscheint, sobald die Studie keine Probleme hat.</translation>
    </message>
    <message>
        <source>As of the last text without problems.</source>
        <translation>Stand des letzten Texts ohne Probleme.</translation>
    </message>
</context>
<context>
    <name>ulp::views::ElementReadout</name>
    <message>
        <source>Element under the cursor and selected element</source>
        <translation>Element unter dem Cursor und gewähltes Element</translation>
    </message>
    <message>
        <source>%1: A %2, B %3, B − A %4, relative %5, ULP %6</source>
        <translation>%1: A %2, B %3, B − A %4, relativ %5, ULP %6</translation>
    </message>
    <message>
        <source>Point at an element to read it, click to select it.</source>
        <translation>Auf ein Element zeigen, um es zu lesen; klicken, um es zu wählen.</translation>
    </message>
    <message>
        <source>Element</source>
        <translation>Element</translation>
    </message>
    <message>
        <source>selected</source>
        <translation>gewählt</translation>
    </message>
    <message>
        <source>under the cursor</source>
        <translation>unter dem Cursor</translation>
    </message>
    <message>
        <source>%1, %2: sign, exponent, mantissa</source>
        <translation>%1, %2: Vorzeichen, Exponent, Mantisse</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>Wert</translation>
    </message>
    <message>
        <source>%1: sign, exponent, mantissa</source>
        <translation>%1: Vorzeichen, Exponent, Mantisse</translation>
    </message>
</context>
<context>
    <name>ulp::views::EmptyState</name>
    <message>
        <source>No report is open</source>
        <translation>Kein Bericht geöffnet</translation>
    </message>
    <message>
        <source>Open a report…</source>
        <translation>Bericht öffnen…</translation>
    </message>
</context>
<context>
    <name>ulp::views::ExhibitExport</name>
    <message>
        <source>PNG picture</source>
        <translation>PNG-Bild</translation>
    </message>
    <message>
        <source>SVG picture</source>
        <translation>SVG-Bild</translation>
    </message>
    <message>
        <source>PDF document</source>
        <translation>PDF-Dokument</translation>
    </message>
</context>
<context>
    <name>ulp::views::ExhibitMenu</name>
    <message>
        <source>Copy chart or table</source>
        <translation>Diagramm oder Tabelle kopieren</translation>
    </message>
    <message>
        <source>Copy whole table</source>
        <translation>Ganze Tabelle kopieren</translation>
    </message>
    <message>
        <source>Export…</source>
        <translation>Exportieren…</translation>
    </message>
    <message>
        <source>Show in a window</source>
        <translation>In eigenem Fenster zeigen</translation>
    </message>
    <message>
        <source>Nothing to export yet</source>
        <translation>Noch nichts zu exportieren</translation>
    </message>
    <message>
        <source>Copy chart</source>
        <translation>Diagramm kopieren</translation>
    </message>
    <message>
        <source>Copy table</source>
        <translation>Tabelle kopieren</translation>
    </message>
    <message>
        <source>Show as table</source>
        <translation>Als Tabelle zeigen</translation>
    </message>
    <message>
        <source>Export chart</source>
        <translation>Diagramm exportieren</translation>
    </message>
    <message>
        <source>Export table</source>
        <translation>Tabelle exportieren</translation>
    </message>
</context>
<context>
    <name>ulp::views::Experts</name>
    <message>
        <source>Tokens with other experts than in the reference</source>
        <translation>Token mit anderen Experten als in der Referenz</translation>
    </message>
    <message>
        <source>Flipped tokens by layer: %1</source>
        <translation>Gekippte Token nach Schicht: %1</translation>
    </message>
    <message>
        <source>Choices of the routers against the reference</source>
        <translation>Wahl der Router gegenüber der Referenz</translation>
    </message>
    <message>
        <source>Variant</source>
        <translation>Variante</translation>
    </message>
    <message>
        <source>Router</source>
        <translation>Router</translation>
    </message>
    <message>
        <source>Margin</source>
        <translation>Abstand</translation>
    </message>
    <message>
        <source>Tokens</source>
        <translation>Token</translation>
    </message>
    <message>
        <source>Flipped</source>
        <translation>Gekippt</translation>
    </message>
    <message>
        <source>Flipped tokens by layer, %</source>
        <translation>Gekippte Token nach Schicht, %</translation>
    </message>
    <message>
        <source>Layer</source>
        <translation>Schicht</translation>
    </message>
    <message>
        <source>Margin in the reference</source>
        <translation>Abstand in der Referenz</translation>
    </message>
    <message>
        <source>RMS error of the block&apos;s output over these tokens, relative to the reference; – where the output was not captured or there are no such tokens</source>
        <translation>RMS-Fehler der Ausgabe des Blocks über diese Token, relativ zur Referenz; –, wo die Ausgabe nicht erfasst wurde oder es keine solchen Token gibt</translation>
    </message>
    <message>
        <source>Error of the output, %</source>
        <translation>Fehler der Ausgabe, %</translation>
    </message>
    <message>
        <source>Other tokens</source>
        <translation>Übrige Token</translation>
    </message>
    <message>
        <source>Error of flipped tokens over that of the others</source>
        <translation>Fehler gekippter Token durch den der übrigen</translation>
    </message>
    <message>
        <source>In the reference: score of the last expert chosen less that of the first one not chosen, in the numbers that the model compares; half of the tokens have at most this, to a factor of 2</source>
        <translation>In der Referenz: Punkte des letzten gewählten Experten weniger die des ersten nicht gewählten, in den Zahlen, die das Modell vergleicht; die Hälfte der Token hat höchstens so viel, auf den Faktor 2 genau</translation>
    </message>
    <message>
        <source>All</source>
        <translation>Alle</translation>
    </message>
    <message>
        <source>Median margin</source>
        <translation>Median des Abstands</translation>
    </message>
    <message>
        <source>Experts</source>
        <translation>Experten</translation>
    </message>
    <message>
        <source>Experts that each token has, of all</source>
        <translation>Experten jedes Tokens, von allen</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 von %2</translation>
    </message>
    <message>
        <source>Flipped, %</source>
        <translation>Gekippt, %</translation>
    </message>
    <message>
        <source>Tokens for which the variant chooses another set of experts</source>
        <translation>Token, für die die Variante eine andere Menge von Experten wählt</translation>
    </message>
    <message>
        <source>Experts changed, %</source>
        <translation>Andere Experten, %</translation>
    </message>
    <message>
        <source>Choices of the reference that the variant does not make</source>
        <translation>Wahlen der Referenz, die die Variante nicht trifft</translation>
    </message>
    <message>
        <source>%1 chooses the experts of the reference for every token.</source>
        <translation>%1 wählt für jedes Token die Experten der Referenz.</translation>
    </message>
    <message>
        <source>%1 chooses other experts for %2 % of the tokens, at layer %3 for %4 %.</source>
        <translation>%1 wählt für %2 % der Token andere Experten, in Schicht %3 für %4 %.</translation>
    </message>
    <message>
        <source>Token</source>
        <translation>Token</translation>
    </message>
    <message>
        <source>missing</source>
        <translation>fehlt</translation>
    </message>
    <message>
        <source>flipped</source>
        <translation>gekippt</translation>
    </message>
    <message>
        <source>as in the reference</source>
        <translation>wie in der Referenz</translation>
    </message>
    <message>
        <source>Flipped tokens (bright) by layer · %1</source>
        <translation>Gekippte Token (hell) nach Schicht · %1</translation>
    </message>
    <message>
        <source>Flipped tokens by margin, %</source>
        <translation>Gekippte Token nach Abstand, %</translation>
    </message>
    <message>
        <source>%1 (sequence %2, %3)</source>
        <translation>%1 (Sequenz %2, %3)</translation>
    </message>
    <message>
        <source>sequence %1</source>
        <translation>Sequenz %1</translation>
    </message>
    <message>
        <source>Ratio</source>
        <translation>Verhältnis</translation>
    </message>
</context>
<context>
    <name>ulp::views::ExpertsView</name>
    <message>
        <source>Routers of the variant</source>
        <translation>Router der Variante</translation>
    </message>
    <message>
        <source>Flipped tokens by layer</source>
        <translation>Gekippte Token nach Schicht</translation>
    </message>
    <message>
        <source>Here you see for which tokens each variant chooses other experts than the reference, of models with routers.</source>
        <translation>Hier sehen Sie bei Modellen mit Routern, für welche Token jede Variante andere Experten wählt als die Referenz.</translation>
    </message>
    <message>
        <source>Not known against %1</source>
        <translation>Gegenüber %1 nicht bekannt</translation>
    </message>
    <message>
        <source>Choices of experts are compared with those of the reference alone.</source>
        <translation>Die Wahl der Experten wird nur mit der der Referenz verglichen.</translation>
    </message>
    <message>
        <source>No routers</source>
        <translation>Keine Router</translation>
    </message>
    <message>
        <source>The report says nothing of experts. Studies that Python runs (engine: python) compare what the routers of a mixture of experts choose.</source>
        <translation>Der Bericht sagt nichts von Experten. Studien, die Python ausführt (engine: python), vergleichen, was die Router einer Mixture of Experts wählen.</translation>
    </message>
    <message>
        <source>Experts</source>
        <translation>Experten</translation>
    </message>
    <message>
        <source>For which tokens variants choose other experts, and what that does to their errors</source>
        <translation>Für welche Token Varianten andere Experten wählen und was das mit ihren Fehlern macht</translation>
    </message>
    <message>
        <source>Back to the reference</source>
        <translation>Zurück zur Referenz</translation>
    </message>
    <message>
        <source>Add studies…</source>
        <translation>Studien einreihen…</translation>
    </message>
</context>
<context>
    <name>ulp::views::ExportDialog</name>
    <message>
        <source>Format</source>
        <translation>Format</translation>
    </message>
    <message>
        <source>Scale</source>
        <translation>Skalierung</translation>
    </message>
    <message>
        <source>File</source>
        <translation>Datei</translation>
    </message>
    <message>
        <source>Browse…</source>
        <translation>Durchsuchen…</translation>
    </message>
    <message>
        <source>F&amp;ormat</source>
        <translation>F&amp;ormat</translation>
    </message>
    <message>
        <source>&amp;Scale</source>
        <translation>&amp;Skalierung</translation>
    </message>
    <message>
        <source>&amp;File</source>
        <translation>&amp;Datei</translation>
    </message>
    <message>
        <source>Export</source>
        <translation>Exportieren</translation>
    </message>
    <message>
        <source>%1 × %2 pixels</source>
        <translation>%1 × %2 Pixel</translation>
    </message>
    <message>
        <source>%1 × %2 mm</source>
        <translation>%1 × %2 mm</translation>
    </message>
    <message>
        <source>The file exists and will be replaced.</source>
        <translation>Die Datei existiert und wird ersetzt.</translation>
    </message>
</context>
<context>
    <name>ulp::views::ExportJobs</name>
    <message>
        <source>Stopped; %1 was not written.</source>
        <translation>Gestoppt; %1 wurde nicht geschrieben.</translation>
    </message>
    <message>
        <source>Writing %1…</source>
        <translation>%1 wird geschrieben…</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>Stoppen</translation>
    </message>
    <message>
        <source>Wrote %1 (%2).</source>
        <translation>%1 geschrieben (%2).</translation>
    </message>
    <message>
        <source>Show folder</source>
        <translation>Ordner zeigen</translation>
    </message>
    <message>
        <source>Stopping; what is unfinished of %1 is removed.</source>
        <translation>Wird beendet; was von %1 nicht fertig ist, wird entfernt.</translation>
    </message>
    <message numerus="yes">
        <source>… and %n more note(s).</source>
        <translation>
            <numerusform>… und %n weiterer Hinweis.</numerusform>
            <numerusform>… und %n weitere Hinweise.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ulp::views::FindingLine</name>
    <message>
        <source>Show me</source>
        <translation>Zeigen</translation>
    </message>
</context>
<context>
    <name>ulp::views::FindingNavigator</name>
    <message>
        <source>No rule found anything in this report.</source>
        <translation>Keine Regel hat in diesem Bericht etwas gefunden.</translation>
    </message>
    <message>
        <source>Every tensor of %1 is finite.</source>
        <translation>Jeder Tensor von %1 ist endlich.</translation>
    </message>
    <message>
        <source>The error of %1 nowhere grows %2-fold from one layer to the next.</source>
        <translation>Der Fehler von %1 wächst von Schicht zu Schicht nirgends auf das %2-Fache.</translation>
    </message>
</context>
<context>
    <name>ulp::views::FindingPane</name>
    <message>
        <source>… and %1 more</source>
        <translation>… und %1 weitere</translation>
    </message>
    <message>
        <source>Explanation of the finding</source>
        <translation>Erklärung des Befunds</translation>
    </message>
    <message>
        <source>Choose a finding to see the rule and its numbers.</source>
        <translation>Einen Befund wählen, um Regel und Zahlen zu sehen.</translation>
    </message>
</context>
<context>
    <name>ulp::views::FindingsView</name>
    <message>
        <source>whole run</source>
        <translation>ganzer Lauf</translation>
    </message>
    <message>
        <source>note</source>
        <translation>Info</translation>
    </message>
    <message>
        <source>Severity</source>
        <translation>Stufe</translation>
    </message>
    <message>
        <source>Where</source>
        <translation>Ort</translation>
    </message>
    <message>
        <source>Variants</source>
        <translation>Varianten</translation>
    </message>
    <message>
        <source>Finding</source>
        <translation>Befund</translation>
    </message>
    <message>
        <source>Rule</source>
        <translation>Regel</translation>
    </message>
    <message>
        <source>Numbers</source>
        <translation>Zahlen</translation>
    </message>
    <message>
        <source>Findings</source>
        <translation>Befunde</translation>
    </message>
    <message>
        <source>Show me</source>
        <translation>Zeigen</translation>
    </message>
    <message>
        <source>Select what the finding is about and go to the view that shows it (Return)</source>
        <translation>Auswählen, wovon der Befund handelt, und zur passenden Ansicht wechseln (Eingabetaste)</translation>
    </message>
    <message>
        <source>Explain</source>
        <translation>Erklären</translation>
    </message>
    <message>
        <source>The rule of the finding, its thresholds and numbers</source>
        <translation>Die Regel des Befunds, ihre Schwellen und Zahlen</translation>
    </message>
    <message>
        <source>Make variant</source>
        <translation>Neue Variante</translation>
    </message>
    <message>
        <source>Add a variant to the open study that may do better, as far as one is known</source>
        <translation>Der geöffneten Studie eine Variante hinzufügen, die es besser machen könnte, soweit eine bekannt ist</translation>
    </message>
    <message>
        <source>Thresholds</source>
        <translation>Schwellen</translation>
    </message>
    <message>
        <source>Change when rules speak up</source>
        <translation>Ändern, wann Regeln etwas melden</translation>
    </message>
    <message>
        <source>This tensor</source>
        <translation>Dieser Tensor</translation>
    </message>
    <message>
        <source>Show the findings about the selected tensor only</source>
        <translation>Nur Befunde zum gewählten Tensor zeigen</translation>
    </message>
    <message>
        <source>Show or hide findings of this severity</source>
        <translation>Befunde dieses Schweregrads zeigen oder ausblenden</translation>
    </message>
    <message>
        <source>Findings of variant</source>
        <translation>Befunde der Variante</translation>
    </message>
    <message>
        <source>Show the findings of one variant only</source>
        <translation>Nur Befunde einer Variante zeigen</translation>
    </message>
    <message>
        <source>Findings are about the errors of the runs against the reference, not about their ratios or differences to the baseline.</source>
        <translation>Befunde betreffen die Fehler der Läufe gegen die Referenz, nicht ihre Verhältnisse oder Differenzen zur Basis.</translation>
    </message>
    <message>
        <source>Here the rules of the analysis say what they found: where a variant first diverges, jumps, values that are not finite.</source>
        <translation>Hier steht, was die Regeln der Analyse gefunden haben: erste Abweichung einer Variante, Sprünge, nicht endliche Werte.</translation>
    </message>
    <message>
        <source>All variants</source>
        <translation>Alle Varianten</translation>
    </message>
    <message>
        <source>Nothing to look at yet</source>
        <translation>Noch nichts zu sehen</translation>
    </message>
    <message>
        <source>Findings appear here as soon as a variant has finished.</source>
        <translation>Befunde erscheinen hier, sobald eine Variante fertig ist.</translation>
    </message>
    <message>
        <source>No rule found anything</source>
        <translation>Keine Regel hat etwas gefunden</translation>
    </message>
    <message>
        <source>Errors stay within what the formats account for, everything is finite, and no variant equals another.</source>
        <translation>Die Fehler bleiben in dem, was die Formate erklären, alles ist endlich, und keine Variante gleicht einer anderen.</translation>
    </message>
    <message>
        <source>Not compared to the end</source>
        <translation>Nicht vollständig verglichen</translation>
    </message>
    <message>
        <source>Where errors start is told of a step when all of it is compared.</source>
        <translation>Wo Fehler beginnen, steht für einen Schritt erst fest, wenn er ganz verglichen ist.</translation>
    </message>
    <message>
        <source>No verdict</source>
        <translation>Kein Urteil</translation>
    </message>
    <message>
        <source>Nothing that both dumps hold of the same tensors can be compared.</source>
        <translation>Es gibt nichts Vergleichbares, das beide Dumps zu denselben Tensoren enthalten.</translation>
    </message>
    <message>
        <source>No operation makes a larger error than what it read and the formats account for, and everything is finite.</source>
        <translation>Keine Operation macht einen größeren Fehler, als ihre Eingaben und die Formate erklären, und alles ist endlich.</translation>
    </message>
    <message>
        <source>Looking for findings…</source>
        <translation>Befunde werden gesucht…</translation>
    </message>
    <message>
        <source>%1 of %2 findings</source>
        <translation>Befunde: %1 / %2</translation>
    </message>
    <message>
        <source>The open study has the new variant %1.</source>
        <translation>Die geöffnete Studie hat die neue Variante %1.</translation>
    </message>
    <message>
        <source>Findings of %1</source>
        <translation>Befunde von %1</translation>
    </message>
    <message>
        <source>What the rules of the analysis found, in order of execution</source>
        <translation>Was die Regeln der Analyse gefunden haben, in Ausführungsreihenfolge</translation>
    </message>
    <message>
        <source>Cause</source>
        <translation>Ursache</translation>
    </message>
    <message>
        <source>Go to the cause of the divergence, or to where it is proved by running both runs again</source>
        <translation>Zur Ursache der Abweichung gehen, oder dorthin, wo sie belegt wird, indem beide Läufe wiederholt werden</translation>
    </message>
    <message numerus="yes">
        <source>%n tensor(s) hold NaN or infinity, and no call makes it of finite numbers.</source>
        <translation>
            <numerusform>%n Tensor enthält NaN oder Unendlich, und kein Aufruf macht es aus endlichen Zahlen.</numerusform>
            <numerusform>%n Tensoren enthalten NaN oder Unendlich, und kein Aufruf macht es aus endlichen Zahlen.</numerusform>
        </translation>
    </message>
    <message>
        <source>Nothing of it is NaN or infinite, as far as was recorded.</source>
        <translation>Nichts darin ist NaN oder unendlich, soweit es aufgezeichnet wurde.</translation>
    </message>
    <message>
        <source>Nothing of it is NaN or infinite.</source>
        <translation>Nichts darin ist NaN oder unendlich.</translation>
    </message>
    <message>
        <source>It is compared with nothing, so that nothing is known of errors.</source>
        <translation>Es wird mit nichts verglichen, sodass über Fehler nichts bekannt ist.</translation>
    </message>
</context>
<context>
    <name>ulp::views::FlipChart</name>
    <message>
        <source>Flipped tokens by layer and margin</source>
        <translation>Gekippte Token nach Schicht und Abstand</translation>
    </message>
    <message numerus="yes">
        <source>Shares of flipped tokens of %n variants.</source>
        <translation>
            <numerusform>Anteile gekippter Token von %n Variante.</numerusform>
            <numerusform>Anteile gekippter Token von %n Varianten.</numerusform>
        </translation>
    </message>
    <message>
        <source>margin about %1</source>
        <translation>Abstand etwa %1</translation>
    </message>
    <message>
        <source>layer %1</source>
        <translation>Schicht %1</translation>
    </message>
    <message>
        <source>%1 flipped, %2 of %3 tokens</source>
        <translation>%1 gekippt, %2 von %3 Token</translation>
    </message>
</context>
<context>
    <name>ulp::views::FloorLabel</name>
    <message>
        <source>the same again</source>
        <translation>dasselbe noch einmal</translation>
    </message>
    <message>
        <source>rounding of the reference itself</source>
        <translation>Rundung der Referenz selbst</translation>
    </message>
    <message>
        <source>another number of threads</source>
        <translation>andere Zahl von Threads</translation>
    </message>
    <message>
        <source>another attention kernel</source>
        <translation>anderer Attention-Kernel</translation>
    </message>
    <message>
        <source>sequences in reverse order</source>
        <translation>Sequenzen in umgekehrter Reihenfolge</translation>
    </message>
</context>
<context>
    <name>ulp::views::FormField</name>
    <message>
        <source>%1 (default)</source>
        <translation>%1 (Vorgabe)</translation>
    </message>
    <message>
        <source>runs/ and the name of the study</source>
        <translation>runs/ und der Name der Studie</translation>
    </message>
    <message>
        <source>Choose %1</source>
        <translation>%1 wählen</translation>
    </message>
    <message>
        <source>Models (*.gguf *.json)</source>
        <translation>Modelle (*.gguf *.json)</translation>
    </message>
    <message>
        <source>All files (*)</source>
        <translation>Alle Dateien (*)</translation>
    </message>
    <message>
        <source>all sites; one pattern a line</source>
        <translation>alle Stellen; ein Muster je Zeile</translation>
    </message>
    <message>
        <source>none; one pattern a line</source>
        <translation>keine; ein Muster je Zeile</translation>
    </message>
    <message>
        <source>compute dtype</source>
        <translation>Rechen-dtype</translation>
    </message>
    <message>
        <source>Type: %1</source>
        <translation>Typ: %1</translation>
    </message>
    <message>
        <source>, from %1 to %2</source>
        <translation>, von %1 bis %2</translation>
    </message>
    <message>
        <source>Values: %1</source>
        <translation>Werte: %1</translation>
    </message>
    <message>
        <source>Default: %1</source>
        <translation>Vorgabe: %1</translation>
    </message>
</context>
<context>
    <name>ulp::views::FrozenColumn</name>
    <message>
        <source>First column, always in sight</source>
        <translation>Erste Spalte, immer sichtbar</translation>
    </message>
</context>
<context>
    <name>ulp::views::GridDialog</name>
    <message>
        <source>Variants of all combinations</source>
        <translation>Varianten aus allen Kombinationen</translation>
    </message>
    <message>
        <source>Keys and their values</source>
        <translation>Schlüssel und ihre Werte</translation>
    </message>
    <message>
        <source>Pattern of the names</source>
        <translation>Muster der Namen</translation>
    </message>
    <message>
        <source>A key in braces stands for its short value: {compute_dtype} is bf16 for bfloat16.</source>
        <translation>Ein Schlüssel in geschweiften Klammern steht für seinen Kurzwert: {compute_dtype} ist bf16 für bfloat16.</translation>
    </message>
    <message>
        <source>Variants that will be added</source>
        <translation>Varianten, die hinzukommen</translation>
    </message>
    <message>
        <source>&amp;Names</source>
        <translation>&amp;Namen</translation>
    </message>
    <message>
        <source>Tick the values to combine</source>
        <translation>Zu kombinierende Werte ankreuzen</translation>
    </message>
    <message>
        <source>The study has a variant &apos;%1&apos; already; change the pattern of the names.</source>
        <translation>Die Studie hat schon eine Variante „%1“; das Muster der Namen ändern.</translation>
    </message>
    <message>
        <source>Variants to be added: %1</source>
        <translation>Neue Varianten: %1</translation>
    </message>
    <message>
        <source>Add the variants</source>
        <translation>Varianten hinzufügen</translation>
    </message>
</context>
<context>
    <name>ulp::views::HeatmapView</name>
    <message>
        <source>Worst of</source>
        <translation>Schlechteste von</translation>
    </message>
    <message>
        <source>%1 of %2 units</source>
        <translation>%1 von %2 Einheiten</translation>
    </message>
    <message>
        <source>missing</source>
        <translation>fehlt</translation>
    </message>
    <message>
        <source>Not finite</source>
        <translation>Nicht endlich</translation>
    </message>
    <message>
        <source>Layer</source>
        <translation>Schicht</translation>
    </message>
    <message>
        <source>Variant</source>
        <translation>Variante</translation>
    </message>
    <message>
        <source>Pass</source>
        <translation>Durchlauf</translation>
    </message>
    <message>
        <source>Tensor</source>
        <translation>Tensor</translation>
    </message>
    <message>
        <source>layer %1</source>
        <translation>Schicht %1</translation>
    </message>
    <message>
        <source>head %1</source>
        <translation>Head %1</translation>
    </message>
    <message>
        <source>token %1</source>
        <translation>Token %1</translation>
    </message>
    <message>
        <source>sequence %1, token %2</source>
        <translation>Sequenz %1, Token %2</translation>
    </message>
    <message>
        <source>layer output</source>
        <translation>Schichtausgabe</translation>
    </message>
    <message>
        <source>sample %1</source>
        <translation>Stichprobe %1</translation>
    </message>
    <message>
        <source>Attention output, gradient</source>
        <translation>Attention-Ausgabe, Gradient</translation>
    </message>
    <message>
        <source>Queries</source>
        <translation>Queries</translation>
    </message>
    <message>
        <source>Keys</source>
        <translation>Keys</translation>
    </message>
    <message>
        <source>Values</source>
        <translation>Values</translation>
    </message>
    <message>
        <source>Variants × layers</source>
        <translation>Varianten × Schichten</translation>
    </message>
    <message>
        <source>variants × layers</source>
        <translation>Varianten × Schichten</translation>
    </message>
    <message>
        <source>Modules × layers</source>
        <translation>Module × Schichten</translation>
    </message>
    <message>
        <source>modules × layers of %1</source>
        <translation>Module × Schichten von %1</translation>
    </message>
    <message>
        <source>Tokens × layers</source>
        <translation>Token × Schichten</translation>
    </message>
    <message>
        <source>tokens × layers of %1</source>
        <translation>Token × Schichten von %1</translation>
    </message>
    <message>
        <source>Token</source>
        <translation>Token</translation>
    </message>
    <message>
        <source>Heads × layers</source>
        <translation>Heads × Schichten</translation>
    </message>
    <message>
        <source>heads × layers of %1</source>
        <translation>Heads × Schichten von %1</translation>
    </message>
    <message>
        <source>Head</source>
        <translation>Head</translation>
    </message>
    <message>
        <source>Samples × layers</source>
        <translation>Stichproben × Schichten</translation>
    </message>
    <message>
        <source>samples × layers of %1</source>
        <translation>Stichproben × Schichten von %1</translation>
    </message>
    <message>
        <source>Sample</source>
        <translation>Stichprobe</translation>
    </message>
    <message>
        <source>Steps × layers</source>
        <translation>Schritte × Schichten</translation>
    </message>
    <message>
        <source>steps × layers</source>
        <translation>Schritte × Schichten</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>Schritt</translation>
    </message>
    <message>
        <source>Ranks × layers</source>
        <translation>Ränge × Schichten</translation>
    </message>
    <message>
        <source>ranks × layers</source>
        <translation>Ränge × Schichten</translation>
    </message>
    <message>
        <source>Rank</source>
        <translation>Rang</translation>
    </message>
    <message>
        <source>Heatmap of errors</source>
        <translation>Fehler-Heatmap</translation>
    </message>
    <message>
        <source>Copy the setting</source>
        <translation>Einstellung kopieren</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>Stoppen</translation>
    </message>
    <message>
        <source>This metric is unknown</source>
        <translation>Diese Metrik ist unbekannt</translation>
    </message>
    <message>
        <source>This version of Ulpscope cannot compute %1 from kept tensors. Choose another metric.</source>
        <translation>Diese Version von Ulpscope kann %1 nicht aus aufbewahrten Tensoren berechnen. Eine andere Metrik wählen.</translation>
    </message>
    <message>
        <source>Parameters have no heads</source>
        <translation>Parameter haben keine Heads</translation>
    </message>
    <message>
        <source>Parameters have no tokens</source>
        <translation>Parameter haben keine Token</translation>
    </message>
    <message>
        <source>Their gradients are summed over all tokens. Show the forward and the backward pass to see this heatmap.</source>
        <translation>Ihre Gradienten sind über alle Token summiert. Für diese Heatmap den Vorwärts- und den Rückwärtslauf zeigen.</translation>
    </message>
    <message>
        <source>Show forward and backward</source>
        <translation>Vorwärts und rückwärts zeigen</translation>
    </message>
    <message>
        <source>Heads cannot be told apart in this report</source>
        <translation>Heads sind in diesem Bericht nicht unterscheidbar</translation>
    </message>
    <message>
        <source>It needs the rows of q_proj, k_proj, v_proj or o_proj and that of the rotary embedding, which tells how many channels a head has. Set capture.level to module in the study and run it again.</source>
        <translation>Nötig sind die Zeilen von q_proj, k_proj, v_proj oder o_proj und die der Rotary-Einbettung, aus der die Kanäle je Head folgen. In der Studie capture.level auf module setzen und sie erneut ausführen.</translation>
    </message>
    <message>
        <source>Comparing kept tensors: %1 of %2</source>
        <translation>Aufbewahrte Tensoren werden verglichen: %1 von %2</translation>
    </message>
    <message>
        <source>Stopped after %1 of %2 tensors.</source>
        <translation>Nach %1 von %2 Tensoren gestoppt.</translation>
    </message>
    <message>
        <source>%1 of %2 tensors were kept whole and compared.</source>
        <translation>%1 von %2 Tensoren wurden ganz aufbewahrt und verglichen.</translation>
    </message>
    <message>
        <source>Of %1 only samples were kept.</source>
        <translation>Von %1 wurden nur Stichproben aufbewahrt.</translation>
    </message>
    <message>
        <source>%1 could not be read, the first: %2</source>
        <translation>%1 waren nicht lesbar, als Erstes: %2</translation>
    </message>
    <message>
        <source>Comparing kept tensors</source>
        <translation>Aufbewahrte Tensoren werden verglichen</translation>
    </message>
    <message>
        <source>The kept tensors cannot be read</source>
        <translation>Die aufbewahrten Tensoren sind nicht lesbar</translation>
    </message>
    <message>
        <source>Only samples of the tensors were kept</source>
        <translation>Nur Stichproben der Tensoren wurden aufbewahrt</translation>
    </message>
    <message>
        <source>Single tokens and heads need whole tensors. Set capture.tensors to full in the study and run it again.</source>
        <translation>Einzelne Token und Heads brauchen ganze Tensoren. In der Studie capture.tensors auf full setzen und sie erneut ausführen.</translation>
    </message>
    <message>
        <source>The elements cannot be compared</source>
        <translation>Die Elemente sind nicht vergleichbar</translation>
    </message>
    <message>
        <source>Single tokens and heads need the elements, which the two dumps do not both hold: record tensors rather than statistics.</source>
        <translation>Einzelne Token und Heads brauchen die Elemente, die nicht in beiden Dumps enthalten sind: Tensoren statt Statistiken aufzeichnen.</translation>
    </message>
    <message>
        <source>The tensors of this report were not kept</source>
        <translation>Die Tensoren dieses Berichts wurden nicht aufbewahrt</translation>
    </message>
    <message>
        <source>Single tokens and heads need the tensors themselves. Set capture.tensors to full in the study and run it again.</source>
        <translation>Einzelne Token und Heads brauchen die Tensoren selbst. In der Studie capture.tensors auf full setzen und sie erneut ausführen.</translation>
    </message>
    <message>
        <source>run %1</source>
        <translation>Lauf %1</translation>
    </message>
    <message>
        <source>step %1</source>
        <translation>Schritt %1</translation>
    </message>
    <message>
        <source>rank %1</source>
        <translation>Rang %1</translation>
    </message>
    <message>
        <source>worst of all ranks</source>
        <translation>Schlechtester aller Ränge</translation>
    </message>
    <message>
        <source>worst of all steps</source>
        <translation>Schlechtester aller Schritte</translation>
    </message>
    <message>
        <source>worst of all units</source>
        <translation>Schlechteste aller Einheiten</translation>
    </message>
    <message>
        <source>Show everything</source>
        <translation>Alles zeigen</translation>
    </message>
    <message>
        <source>What the rows are</source>
        <translation>Was die Zeilen sind</translation>
    </message>
    <message>
        <source>Tensors</source>
        <translation>Tensoren</translation>
    </message>
    <message>
        <source>Which tensors the columns stand for</source>
        <translation>Für welche Tensoren die Spalten stehen</translation>
    </message>
    <message>
        <source>Units</source>
        <translation>Einheiten</translation>
    </message>
    <message>
        <source>Of which units of the dumps each row shows the worst</source>
        <translation>Von welchen Einheiten der Dumps jede Zeile die schlechteste zeigt</translation>
    </message>
    <message>
        <source>Order of the rows</source>
        <translation>Reihenfolge der Zeilen</translation>
    </message>
    <message>
        <source>Colours</source>
        <translation>Farben</translation>
    </message>
    <message>
        <source>By execution</source>
        <translation>Nach Ausführung</translation>
    </message>
    <message>
        <source>By name</source>
        <translation>Nach Name</translation>
    </message>
    <message>
        <source>Worst mean first</source>
        <translation>Schlechtestes Mittel zuerst</translation>
    </message>
    <message>
        <source>Worst cell first</source>
        <translation>Schlechteste Zelle zuerst</translation>
    </message>
    <message>
        <source>Worst in the selected column first</source>
        <translation>Schlechteste in gewählter Spalte zuerst</translation>
    </message>
    <message>
        <source>Cividis</source>
        <translation>Cividis</translation>
    </message>
    <message>
        <source>Viridis</source>
        <translation>Viridis</translation>
    </message>
    <message>
        <source>Grey</source>
        <translation>Grau</translation>
    </message>
    <message>
        <source>Here the error of every tensor is a colour: variants, modules, tokens or heads against the layers of the model.</source>
        <translation>Hier ist der Fehler jedes Tensors eine Farbe: Varianten, Module, Token oder Heads gegen die Schichten des Modells.</translation>
    </message>
    <message>
        <source>the tensors “%1”</source>
        <translation>die Tensoren „%1“</translation>
    </message>
    <message>
        <source>Nothing to compare yet</source>
        <translation>Noch nichts zu vergleichen</translation>
    </message>
    <message>
        <source>Colours appear here as soon as the first variant has finished.</source>
        <translation>Farben erscheinen hier, sobald die erste Variante fertig ist.</translation>
    </message>
    <message>
        <source>These values are of one sample</source>
        <translation>Diese Werte stammen von einer Stichprobe</translation>
    </message>
    <message>
        <source>A study takes several when input.sequences is more than the sequences of one step. Set it in the study and run it again; against another baseline only the tensors of the first sample are known.</source>
        <translation>Eine Studie nimmt mehrere, wenn input.sequences größer ist als die Zahl der Sequenzen eines Schritts. In der Studie setzen und sie erneut ausführen; gegen eine andere Basis sind nur die Tensoren der ersten Stichprobe bekannt.</translation>
    </message>
    <message>
        <source>The runs of this report are no steps</source>
        <translation>Die Läufe dieses Berichts sind keine Schritte</translation>
    </message>
    <message>
        <source>The runs of this report are no ranks</source>
        <translation>Die Läufe dieses Berichts sind keine Ränge</translation>
    </message>
    <message>
        <source>Show variants × layers</source>
        <translation>Varianten × Schichten zeigen</translation>
    </message>
    <message>
        <source>What the samples gave cannot be read</source>
        <translation>Die Ergebnisse der Stichproben sind nicht lesbar</translation>
    </message>
    <message>
        <source>No sample is finished yet</source>
        <translation>Noch keine Stichprobe ist fertig</translation>
    </message>
    <message>
        <source>A row appears here for each sample of the selected variant.</source>
        <translation>Für jede Stichprobe der gewählten Variante erscheint hier eine Zeile.</translation>
    </message>
    <message>
        <source>No tensor of this kind</source>
        <translation>Kein Tensor dieser Art</translation>
    </message>
    <message>
        <source>The report has none in the passes shown. Show the forward and the backward pass, or choose other tensors.</source>
        <translation>In den gezeigten Durchläufen enthält der Bericht keinen. Vorwärts- und Rückwärtslauf zeigen oder andere Tensoren wählen.</translation>
    </message>
    <message>
        <source>Heatmap</source>
        <translation>Heatmap</translation>
    </message>
    <message>
        <source>Errors as colours, against the layers of the model</source>
        <translation>Fehler als Farben, gegen die Schichten des Modells</translation>
    </message>
    <message>
        <source>Spike</source>
        <translation>Ausreißer</translation>
    </message>
    <message>
        <source>begins at this step</source>
        <translation>beginnt bei diesem Schritt</translation>
    </message>
    <message>
        <source>A report has a run for each step when it is of a dump of several steps, or compares two.</source>
        <translation>Ein Bericht hat für jeden Schritt einen Lauf, wenn er von einem Dump mehrerer Schritte ist oder zwei davon vergleicht.</translation>
    </message>
    <message>
        <source>A report has a run for each rank when it is of a dump of several ranks, or compares two.</source>
        <translation>Ein Bericht hat für jeden Rang einen Lauf, wenn er von einem Dump mehrerer Ränge ist oder zwei davon vergleicht.</translation>
    </message>
    <message>
        <source>Most likely token</source>
        <translation>Wahrscheinlichstes Token</translation>
    </message>
    <message>
        <source>Part</source>
        <translation>Teil</translation>
    </message>
    <message>
        <source>Positions × layers</source>
        <translation>Positionen × Schichten</translation>
    </message>
    <message>
        <source>positions × layers of %1</source>
        <translation>Positionen × Schichten von %1</translation>
    </message>
    <message>
        <source>Position</source>
        <translation>Position</translation>
    </message>
    <message>
        <source>position %1, generated</source>
        <translation>Position %1, erzeugt</translation>
    </message>
    <message>
        <source>position %1, prompt</source>
        <translation>Position %1, Prompt</translation>
    </message>
    <message>
        <source>generated</source>
        <translation>erzeugt</translation>
    </message>
    <message>
        <source>prompt</source>
        <translation>Prompt</translation>
    </message>
    <message>
        <source>generated from position %1 on</source>
        <translation>erzeugt ab Position %1</translation>
    </message>
    <message>
        <source>another one in %1 of %2</source>
        <translation>ein anderes in %1 von %2</translation>
    </message>
    <message>
        <source>Not known against %1</source>
        <translation>Gegenüber %1 nicht bekannt</translation>
    </message>
    <message>
        <source>Errors by position are those against the reference alone.</source>
        <translation>Fehler je Position sind nur gegenüber der Referenz bekannt.</translation>
    </message>
    <message>
        <source>No errors by position</source>
        <translation>Keine Fehler je Position</translation>
    </message>
    <message>
        <source>Studies in which the reference continues prompts keep the error of every position. Set input.generate in the study and run it again.</source>
        <translation>Studien, in denen die Referenz Prompts fortsetzt, behalten den Fehler jeder Position. In der Studie input.generate setzen und sie erneut ausführen.</translation>
    </message>
    <message>
        <source>%1 is not known by position</source>
        <translation>%1 ist je Position nicht bekannt</translation>
    </message>
    <message>
        <source>Reports keep the RMS of the error and of the reference at every position.</source>
        <translation>Berichte behalten den Effektivwert (RMS) des Fehlers und der Referenz an jeder Position.</translation>
    </message>
    <message>
        <source>Show %1</source>
        <translation>%1 zeigen</translation>
    </message>
</context>
<context>
    <name>ulp::views::JobSummary</name>
    <message>
        <source>GPU memory %1 of %2</source>
        <translation>GPU-Speicher %1 von %2</translation>
    </message>
    <message>
        <source>GPU memory %1 of %2, all programs together</source>
        <translation>GPU-Speicher %1 von %2, alle Programme zusammen</translation>
    </message>
    <message>
        <source>GPU busy %1</source>
        <translation>GPU-Last %1</translation>
    </message>
    <message>
        <source>%1 elapsed</source>
        <translation>%1 vergangen</translation>
    </message>
    <message>
        <source>%1 left</source>
        <translation>noch %1</translation>
    </message>
    <message>
        <source>Memory and GPU unknown: the GPU&apos;s driver does not answer</source>
        <translation>Speicher und GPU unbekannt: Der GPU-Treiber antwortet nicht</translation>
    </message>
    <message>
        <source>GPU %1</source>
        <translation>GPU %1</translation>
    </message>
    <message>
        <source>Memory %1</source>
        <translation>Speicher %1</translation>
    </message>
    <message>
        <source>Memory at most %1</source>
        <translation>Speicher höchstens %1</translation>
    </message>
    <message>
        <source>Memory %1, at most %2</source>
        <translation>Speicher %1, höchstens %2</translation>
    </message>
    <message>
        <source>State of the study</source>
        <translation>Zustand der Studie</translation>
    </message>
    <message>
        <source>Memory of the worker</source>
        <translation>Speicher des Workers</translation>
    </message>
    <message>
        <source>Why it failed</source>
        <translation>Grund des Fehlschlags</translation>
    </message>
    <message>
        <source>Last messages of the worker</source>
        <translation>Letzte Meldungen des Workers</translation>
    </message>
    <message>
        <source>Resume</source>
        <translation>Fortsetzen</translation>
    </message>
    <message>
        <source>Go on with what is finished kept</source>
        <translation>Weitermachen; was fertig ist, bleibt</translation>
    </message>
    <message>
        <source>Edit and run again</source>
        <translation>Ändern und neu starten</translation>
    </message>
    <message>
        <source>Open the study in the editor, with a new folder for its results</source>
        <translation>Studie im Editor öffnen, mit neuem Ergebnisordner</translation>
    </message>
    <message>
        <source>Copy log</source>
        <translation>Log kopieren</translation>
    </message>
    <message>
        <source>Copy the messages that are shown in the log</source>
        <translation>Die im Log gezeigten Meldungen kopieren</translation>
    </message>
    <message>
        <source>The results in its folder are not of this study: %1.</source>
        <translation>Die Ergebnisse in ihrem Ordner gehören nicht zu dieser Studie: %1.</translation>
    </message>
    <message>
        <source>on %1, which does not answer: it goes on there</source>
        <translation>auf %1, das nicht antwortet: dort geht es weiter</translation>
    </message>
    <message>
        <source>on %1</source>
        <translation>auf %1</translation>
    </message>
    <message>
        <source>GPU memory on %1 at most %2</source>
        <translation>GPU-Speicher auf %1 höchstens %2</translation>
    </message>
    <message>
        <source>Memory on %1 at most %2</source>
        <translation>Speicher auf %1 höchstens %2</translation>
    </message>
    <message>
        <source>Memory on %1 %2, at most %3</source>
        <translation>Speicher auf %1 %2, höchstens %3</translation>
    </message>
    <message>
        <source>Memory on %1 is not known yet</source>
        <translation>Der Speicher auf %1 ist noch nicht bekannt</translation>
    </message>
</context>
<context>
    <name>ulp::views::JudgedRows</name>
    <message>
        <source>fails at %1 of %2</source>
        <translation>verletzt bei %1 von %2</translation>
    </message>
    <message>
        <source>warns at %1 of %2</source>
        <translation>Warnung bei %1 von %2</translation>
    </message>
    <message>
        <source>%1, not judged at %2</source>
        <translation>%1, nicht beurteilt bei %2</translation>
    </message>
    <message>
        <source>not judged: a report holds compared rows alone</source>
        <translation>nicht beurteilt: ein Bericht enthält nur verglichene Zeilen</translation>
    </message>
    <message>
        <source>not judged at %1 of %2: needs the elements of both sides</source>
        <translation>nicht beurteilt bei %1 von %2: braucht die Elemente beider Seiten</translation>
    </message>
    <message>
        <source>nothing to ask</source>
        <translation>nichts zu prüfen</translation>
    </message>
    <message>
        <source>holds for %1</source>
        <translation>erfüllt bei %1</translation>
    </message>
    <message>
        <source>fail: %1 of %2 variants</source>
        <translation>nicht bestanden: %1 von %2 Varianten</translation>
    </message>
    <message>
        <source>warnings: %1</source>
        <translation>Warnungen: %1</translation>
    </message>
    <message>
        <source>not judged: %1</source>
        <translation>nicht beurteilt: %1</translation>
    </message>
    <message>
        <source>pass: %1</source>
        <translation>bestanden: %1</translation>
    </message>
    <message>
        <source>Variant</source>
        <translation>Variante</translation>
    </message>
    <message>
        <source>Verdict</source>
        <translation>Urteil</translation>
    </message>
    <message>
        <source>First</source>
        <translation>Erste</translation>
    </message>
    <message>
        <source>The first row that fails, else the first with a warning</source>
        <translation>Die erste verletzte Zeile, sonst die erste mit Warnung</translation>
    </message>
    <message>
        <source>Fail</source>
        <translation>Verletzt</translation>
    </message>
    <message>
        <source>Warning</source>
        <translation>Warnung</translation>
    </message>
    <message>
        <source>Not judged</source>
        <translation>Nicht beurteilt</translation>
    </message>
    <message>
        <source>Pass</source>
        <translation>Bestanden</translation>
    </message>
    <message>
        <source>Rule</source>
        <translation>Regel</translation>
    </message>
    <message>
        <source>Outcome</source>
        <translation>Ergebnis</translation>
    </message>
    <message>
        <source>did not finish</source>
        <translation>nicht zu Ende gelaufen</translation>
    </message>
</context>
<context>
    <name>ulp::views::Levers</name>
    <message>
        <source>No pair of variants has numbers here.</source>
        <translation>Kein Variantenpaar hat hier Zahlen.</translation>
    </message>
    <message>
        <source>Between %1 and %2 over %3 pairs of variants</source>
        <translation>Zwischen %1 und %2 über %3 Variantenpaare</translation>
    </message>
    <message>
        <source>Pairs in which a side has elements that are not finite: %1</source>
        <translation>Paare, in denen eine Seite nicht endliche Elemente hat: %1</translation>
    </message>
    <message>
        <source>forward</source>
        <translation>vorwärts</translation>
    </message>
    <message>
        <source>backward</source>
        <translation>rückwärts</translation>
    </message>
    <message>
        <source>parameter gradients</source>
        <translation>Parametergradienten</translation>
    </message>
    <message>
        <source>optimizer</source>
        <translation>Optimizer</translation>
    </message>
    <message>
        <source>Setting</source>
        <translation>Einstellung</translation>
    </message>
    <message>
        <source>From</source>
        <translation>Von</translation>
    </message>
    <message>
        <source>To</source>
        <translation>Auf</translation>
    </message>
    <message>
        <source>Pairs</source>
        <translation>Paare</translation>
    </message>
    <message>
        <source>Pairs of variants that differ in this setting alone</source>
        <translation>Variantenpaare, die sich nur in dieser Einstellung unterscheiden</translation>
    </message>
    <message>
        <source>%1 after over before</source>
        <translation>%1, nachher durch vorher</translation>
    </message>
    <message>
        <source>change of %1</source>
        <translation>Änderung von %1</translation>
    </message>
    <message>
        <source>%1 from %2 to %3 changes most: %4 %5 at %6, %7</source>
        <translation>%1 von %2 auf %3 ändert am meisten: %4 %5 bei %6, %7</translation>
    </message>
    <message>
        <source>Settings and errors of the variants: %1</source>
        <translation>Einstellungen und Fehler der Varianten: %1</translation>
    </message>
    <message>
        <source>What each setting changes: %1</source>
        <translation>Was jede Einstellung ändert: %1</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>Einstellungen</translation>
    </message>
    <message>
        <source>not finite</source>
        <translation>nicht endlich</translation>
    </message>
    <message>
        <source>Variant</source>
        <translation>Variante</translation>
    </message>
    <message>
        <source>%1 → %2, every other setting kept: %3</source>
        <translation>%1 → %2, alle anderen Einstellungen unverändert: %3</translation>
    </message>
    <message>
        <source>A setting that alone was moved, with those that follow it</source>
        <translation>Eine Einstellung, die allein verändert wurde, mit denen, die ihr folgen</translation>
    </message>
    <message>
        <source>%1 from %2 to %3 changes most: not finite any more at %4, %5</source>
        <translation>%1 von %2 auf %3 ändert am meisten: nicht mehr endlich bei %4, %5</translation>
    </message>
    <message>
        <source>%1 from %2 to %3 changes most: finite again at %4, %5</source>
        <translation>%1 von %2 auf %3 ändert am meisten: wieder endlich bei %4, %5</translation>
    </message>
    <message>
        <source>%1 from %2 to %3 changes most: %4 from %5 to %6 at %7, %8</source>
        <translation>%1 von %2 auf %3 ändert am meisten: %4 von %5 auf %6 bei %7, %8</translation>
    </message>
</context>
<context>
    <name>ulp::views::LeversView</name>
    <message>
        <source>What each setting changes</source>
        <translation>Was jede Einstellung ändert</translation>
    </message>
    <message>
        <source>One scale</source>
        <translation>Gleiche Skala</translation>
    </message>
    <message>
        <source>All errors on one axis range, so that their heights compare; otherwise every axis spans its own values</source>
        <translation>Alle Fehler auf demselben Achsenbereich, damit Höhen vergleichbar sind; sonst spannt jede Achse ihre eigenen Werte auf</translation>
    </message>
    <message>
        <source>Show all variants</source>
        <translation>Alle Varianten zeigen</translation>
    </message>
    <message>
        <source>Let go of what was dragged on the axes (Escape)</source>
        <translation>Auf den Achsen gezogene Bereiche aufheben (Escape)</translation>
    </message>
    <message>
        <source>Here each variant is a line over its settings and its errors, and a table says what each setting changes.</source>
        <translation>Hier ist jede Variante eine Linie über ihre Einstellungen und Fehler, und eine Tabelle sagt, was jede Einstellung ändert.</translation>
    </message>
    <message>
        <source>The configuration cannot be read</source>
        <translation>Die Konfiguration ist nicht lesbar</translation>
    </message>
    <message>
        <source>All variants have the same settings.</source>
        <translation>Alle Varianten haben dieselben Einstellungen.</translation>
    </message>
    <message>
        <source>No two variants differ in one setting alone, so no effect can be told apart.</source>
        <translation>Keine zwei Varianten unterscheiden sich in nur einer Einstellung; einzelne Wirkungen sind nicht bestimmbar.</translation>
    </message>
    <message>
        <source>No variants yet</source>
        <translation>Noch keine Varianten</translation>
    </message>
    <message>
        <source>A line appears here for each variant that has finished.</source>
        <translation>Für jede fertige Variante erscheint hier eine Linie.</translation>
    </message>
    <message>
        <source>all variants</source>
        <translation>alle Varianten</translation>
    </message>
    <message>
        <source>%1 of %2 variants</source>
        <translation>%1 von %2 Varianten</translation>
    </message>
    <message>
        <source>Levers</source>
        <translation>Stellschrauben</translation>
    </message>
    <message>
        <source>Which setting pays: variants over settings and errors</source>
        <translation>Welche Einstellung lohnt: Varianten über Einstellungen und Fehler</translation>
    </message>
</context>
<context>
    <name>ulp::views::LogPane</name>
    <message>
        <source>Filter log</source>
        <translation>Log filtern</translation>
    </message>
    <message>
        <source>Only lines with this text</source>
        <translation>Nur Zeilen mit diesem Text</translation>
    </message>
    <message>
        <source>All messages</source>
        <translation>Alle Meldungen</translation>
    </message>
    <message>
        <source>Warnings and errors</source>
        <translation>Warnungen und Fehler</translation>
    </message>
    <message>
        <source>Errors</source>
        <translation>Fehler</translation>
    </message>
    <message>
        <source>Level of the messages</source>
        <translation>Stufe der Meldungen</translation>
    </message>
    <message>
        <source>Only messages of this level and worse</source>
        <translation>Nur Meldungen dieser Stufe und schlimmere</translation>
    </message>
    <message>
        <source>Follow the end</source>
        <translation>Ende folgen</translation>
    </message>
    <message>
        <source>Follow the end of the log</source>
        <translation>Dem Ende des Logs folgen</translation>
    </message>
    <message>
        <source>Log</source>
        <translation>Log</translation>
    </message>
</context>
<context>
    <name>ulp::views::LogProbabilities</name>
    <message>
        <source>From, nats</source>
        <translation>Von, nats</translation>
    </message>
    <message>
        <source>To, nats</source>
        <translation>Bis, nats</translation>
    </message>
    <message>
        <source>δ = log π − log π of %1, nats</source>
        <translation>δ = log π − log π von %1, nats</translation>
    </message>
    <message>
        <source>Tokens</source>
        <translation>Token</translation>
    </message>
    <message>
        <source>Log-probabilities against %1</source>
        <translation>Log-Wahrscheinlichkeiten gegen %1</translation>
    </message>
    <message>
        <source>Differences of log-probabilities against %1</source>
        <translation>Differenzen der Log-Wahrscheinlichkeiten gegen %1</translation>
    </message>
    <message>
        <source>Log-probabilities by token: %1 against %2</source>
        <translation>Log-Wahrscheinlichkeiten je Token: %1 gegen %2</translation>
    </message>
    <message>
        <source>Losses and clip decisions against %1</source>
        <translation>Losses und Clip-Entscheidungen gegen %1</translation>
    </message>
    <message>
        <source>δ of log π, nats</source>
        <translation>δ von log π, nats</translation>
    </message>
    <message>
        <source>Tokens that were to be predicted and are finite in both runs</source>
        <translation>Vorherzusagende Token, die in beiden Läufen endlich sind</translation>
    </message>
    <message>
        <source>Not finite</source>
        <translation>Nicht endlich</translation>
    </message>
    <message>
        <source>Tokens that are not finite in one of the two runs; left out</source>
        <translation>Token, die in einem der beiden Läufe nicht endlich sind; ausgelassen</translation>
    </message>
    <message>
        <source>Mean</source>
        <translation>Mittel</translation>
    </message>
    <message>
        <source>Mean of δ = log π of the run less that of the baseline: the bias</source>
        <translation>Mittel von δ = log π des Laufs minus log π der Basis: der Bias</translation>
    </message>
    <message>
        <source>Half of the 95 % confidence interval of the mean, tokens taken as independent</source>
        <translation>Halbes 95-%-Konfidenzintervall des Mittels, Token als unabhängig angenommen</translation>
    </message>
    <message>
        <source>RMS</source>
        <translation>RMS</translation>
    </message>
    <message>
        <source>Square root of the mean of δ²</source>
        <translation>Wurzel des Mittels von δ²</translation>
    </message>
    <message>
        <source>Max</source>
        <translation>Max</translation>
    </message>
    <message>
        <source>Largest |δ|</source>
        <translation>Größtes |δ|</translation>
    </message>
    <message>
        <source>Above %1, %</source>
        <translation>Über %1, %</translation>
    </message>
    <message>
        <source>Share of tokens with |δ| above ε</source>
        <translation>Anteil der Token mit |δ| über ε</translation>
    </message>
    <message>
        <source>Largest sum</source>
        <translation>Größte Summe</translation>
    </message>
    <message>
        <source>Sum of δ over a sequence, that of largest magnitude: what the ratio of whole sequences is made of</source>
        <translation>Summe von δ über eine Sequenz, die betragsgrößte: daraus entsteht das Verhältnis ganzer Sequenzen</translation>
    </message>
    <message>
        <source>over the baseline&apos;s log π</source>
        <translation>über log π der Basis</translation>
    </message>
    <message>
        <source>whole vocabulary</source>
        <translation>ganzes Vokabular</translation>
    </message>
    <message>
        <source>KL, estimated</source>
        <translation>KL, geschätzt</translation>
    </message>
    <message>
        <source>Mean of exp(δ) − 1 − δ, nats: an estimate of KL(A ‖ B) where A drew the tokens, else a distance (Schulman 2020, k3)</source>
        <translation>Mittel von exp(δ) − 1 − δ, nats: eine Schätzung von KL(A ‖ B), wo A die Token gezogen hat, sonst ein Abstand (Schulman 2020, k3)</translation>
    </message>
    <message>
        <source>Slope</source>
        <translation>Steigung</translation>
    </message>
    <message>
        <source>cov(A, B) / var(A); 1 where the run neither stretches nor shrinks the differences of tokens</source>
        <translation>cov(A, B) / var(A); 1, wo der Lauf die Unterschiede der Token weder streckt noch staucht</translation>
    </message>
    <message>
        <source>Correlation</source>
        <translation>Korrelation</translation>
    </message>
    <message>
        <source>Of log π of baseline and run</source>
        <translation>Von log π der Basis und des Laufs</translation>
    </message>
    <message>
        <source>RMS left</source>
        <translation>RMS-Rest</translation>
    </message>
    <message>
        <source>RMS of log π of the run around that line</source>
        <translation>RMS von log π des Laufs um diese Gerade</translation>
    </message>
    <message>
        <source>Of the errors</source>
        <translation>Korr. der Fehler</translation>
    </message>
    <message>
        <source>Correlation of the errors of baseline and run against the reference: 1 where both err alike</source>
        <translation>Korrelation der Fehler von Basis und Lauf gegen die Referenz: 1, wo beide gleich irren</translation>
    </message>
    <message>
        <source>KL mean</source>
        <translation>KL Mittel</translation>
    </message>
    <message>
        <source>KL(A ‖ B) in nats over the kept logits, mean of the tokens</source>
        <translation>KL(A ‖ B) in nats über die aufbewahrten Logits, Mittel der Token</translation>
    </message>
    <message>
        <source>KL max</source>
        <translation>KL max</translation>
    </message>
    <message>
        <source>KL(A ‖ B) in nats over the kept logits, of the worst token</source>
        <translation>KL(A ‖ B) in nats über die aufbewahrten Logits, des schlechtesten Tokens</translation>
    </message>
    <message>
        <source>Same top, %</source>
        <translation>Gleiches Top-1, %</translation>
    </message>
    <message>
        <source>Share of tokens whose most likely next token is the same</source>
        <translation>Anteil der Token mit gleichem wahrscheinlichsten nächsten Token</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>Lauf</translation>
    </message>
    <message>
        <source>At token</source>
        <translation>Bei Token</translation>
    </message>
    <message>
        <source>Where the largest |δ| is: sequence and position</source>
        <translation>Wo das größte |δ| liegt: Sequenz und Position</translation>
    </message>
    <message>
        <source>%1 is farthest from %2: δ has an RMS of %3 nats, %4 % of the tokens are above %5, the largest is %6 at token %7</source>
        <translation>%1 ist am weitesten von %2 entfernt: δ hat ein RMS von %3 nats, %4 % der Token liegen über %5, das größte ist %6 bei Token %7</translation>
    </message>
    <message>
        <source>loss</source>
        <translation>Loss</translation>
    </message>
    <message>
        <source>value</source>
        <translation>Wert</translation>
    </message>
    <message>
        <source>tokens below the clip range</source>
        <translation>Token unter dem Clip-Bereich</translation>
    </message>
    <message>
        <source>documents below the clip range</source>
        <translation>Dokumente unter dem Clip-Bereich</translation>
    </message>
    <message>
        <source>tokens within the clip range</source>
        <translation>Token im Clip-Bereich</translation>
    </message>
    <message>
        <source>documents within the clip range</source>
        <translation>Dokumente im Clip-Bereich</translation>
    </message>
    <message>
        <source>tokens above the clip range</source>
        <translation>Token über dem Clip-Bereich</translation>
    </message>
    <message>
        <source>documents above the clip range</source>
        <translation>Dokumente über dem Clip-Bereich</translation>
    </message>
    <message>
        <source>tokens without a gradient</source>
        <translation>Token ohne Gradient</translation>
    </message>
    <message>
        <source>documents without a gradient</source>
        <translation>Dokumente ohne Gradient</translation>
    </message>
    <message>
        <source>tokens whose clip decision flips</source>
        <translation>Token mit gekippter Clip-Entscheidung</translation>
    </message>
    <message>
        <source>documents whose clip decision flips</source>
        <translation>Dokumente mit gekippter Clip-Entscheidung</translation>
    </message>
    <message>
        <source>tokens with a gradient in one run alone</source>
        <translation>Token mit Gradient in nur einem Lauf</translation>
    </message>
    <message>
        <source>documents with a gradient in one run alone</source>
        <translation>Dokumente mit Gradient in nur einem Lauf</translation>
    </message>
    <message>
        <source>Share, %</source>
        <translation>Anteil, %</translation>
    </message>
    <message>
        <source>Of all tokens or documents of the term</source>
        <translation>An allen Token oder Dokumenten des Terms</translation>
    </message>
    <message>
        <source>Term</source>
        <translation>Term</translation>
    </message>
    <message>
        <source>Quantity</source>
        <translation>Größe</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>Wert</translation>
    </message>
    <message>
        <source>Baseline</source>
        <translation>Basis</translation>
    </message>
    <message>
        <source>Value − baseline</source>
        <translation>Wert − Basis</translation>
    </message>
    <message>
        <source>Token</source>
        <translation>Token</translation>
    </message>
    <message>
        <source>The token that was to be predicted; the tool tip has the text before it</source>
        <translation>Das vorherzusagende Token; der Tooltip zeigt den Text davor</translation>
    </message>
    <message>
        <source>Sequence</source>
        <translation>Sequenz</translation>
    </message>
    <message>
        <source>Position</source>
        <translation>Position</translation>
    </message>
    <message>
        <source>Of the logits that predict the token, which itself stands one further</source>
        <translation>Der Logits, die das Token vorhersagen; es selbst steht eine weiter</translation>
    </message>
    <message>
        <source>log π of %1 less that of %2, nats</source>
        <translation>log π von %1 minus log π von %2, nats</translation>
    </message>
    <message>
        <source>log π, A</source>
        <translation>log π, A</translation>
    </message>
    <message>
        <source>Log-probability of the token in %1, nats</source>
        <translation>Log-Wahrscheinlichkeit des Tokens in %1, nats</translation>
    </message>
    <message>
        <source>log π, B</source>
        <translation>log π, B</translation>
    </message>
    <message>
        <source>Those whose logits were kept: the last micro-batch of the first sample</source>
        <translation>Die, deren Logits behalten wurden: der letzte Micro-Batch der ersten Stichprobe</translation>
    </message>
    <message>
        <source>Every finite log-probability equals that of %1</source>
        <translation>Jede endliche Log-Wahrscheinlichkeit gleicht der von %1</translation>
    </message>
    <message>
        <source>%1 is of other tokens than %2; run both studies on the same input</source>
        <translation>%1 beruht auf anderen Token als %2; beide Studien auf derselben Eingabe ausführen</translation>
    </message>
    <message numerus="yes">
        <source>None of %n token(s) is finite both here and in %1.</source>
        <translation>
            <numerusform>Von %n Token ist keines hier und in %1 endlich.</numerusform>
            <numerusform>Von %n Token ist keines hier und in %1 endlich.</numerusform>
        </translation>
    </message>
    <message>
        <source>No token is finite both in %1 and in %2.</source>
        <translation>Kein Token ist sowohl in %1 als auch in %2 endlich.</translation>
    </message>
    <message>
        <source>Of the others %1 is farthest from %2: δ has an RMS of %3 nats, %4 % of the tokens are above %5, the largest is %6 at token %7</source>
        <translation>Von den übrigen ist %1 am weitesten von %2 entfernt: δ hat ein RMS von %3 nats, %4 % der Token liegen über %5, das größte ist %6 bei Token %7</translation>
    </message>
</context>
<context>
    <name>ulp::views::LogProbabilitiesView</name>
    <message>
        <source>ε, nats</source>
        <translation>ε, nats</translation>
    </message>
    <message>
        <source>Tokens whose log-probability differs by more than this are counted</source>
        <translation>Gezählt werden Token, deren Log-Wahrscheinlichkeit um mehr abweicht</translation>
    </message>
    <message>
        <source>Stops comparing the kept logits; what is shown stays</source>
        <translation>Stoppt den Vergleich der aufbewahrten Logits; was gezeigt wird, bleibt</translation>
    </message>
    <message>
        <source>Histogram of the differences of log-probabilities</source>
        <translation>Histogramm der Differenzen der Log-Wahrscheinlichkeiten</translation>
    </message>
    <message>
        <source>Parts of the view</source>
        <translation>Teile der Ansicht</translation>
    </message>
    <message numerus="yes">
        <source>None of %n token(s) is finite both here and in %1.</source>
        <translation>
            <numerusform>Von %n Token ist keines hier und in %1 endlich.</numerusform>
            <numerusform>Von %n Token ist keines hier und in %1 endlich.</numerusform>
        </translation>
    </message>
    <message>
        <source>Log-probabilities</source>
        <translation>Log-Probs</translation>
    </message>
    <message>
        <source>Losses and clips</source>
        <translation>Losses und Clips</translation>
    </message>
    <message>
        <source>Log-probabilities of the runs against the baseline</source>
        <translation>Log-Wahrscheinlichkeiten der Läufe gegen die Basis</translation>
    </message>
    <message>
        <source>Log-probabilities by token</source>
        <translation>Log-Wahrscheinlichkeiten je Token</translation>
    </message>
    <message>
        <source>Losses and clip decisions</source>
        <translation>Losses und Clip-Entscheidungen</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>Stoppen</translation>
    </message>
    <message>
        <source>Worst tokens first</source>
        <translation>Schlechteste Token zuerst</translation>
    </message>
    <message>
        <source>Tokens by the size of their difference instead of as they stand in the text</source>
        <translation>Token nach Größe ihrer Differenz statt in Textreihenfolge</translation>
    </message>
    <message>
        <source>Logarithmic counts</source>
        <translation>Logarithmische Anzahlen</translation>
    </message>
    <message>
        <source>Counts on a logarithmic axis, on which single tokens far out can be seen</source>
        <translation>Anzahlen auf logarithmischer Achse, auf der einzelne Token weit außen sichtbar sind</translation>
    </message>
    <message>
        <source>All runs in the chart</source>
        <translation>Alle Läufe im Diagramm</translation>
    </message>
    <message>
        <source>Draw every run, not the selected one alone</source>
        <translation>Jeden Lauf zeichnen, nicht nur den gewählten</translation>
    </message>
    <message>
        <source>Open the file of another engine…</source>
        <translation>Datei einer anderen Engine öffnen…</translation>
    </message>
    <message>
        <source>Compare log-probabilities of the same tokens from another engine (.safetensors, .npy, .pt) with the baseline</source>
        <translation>Log-Wahrscheinlichkeiten derselben Token aus einer anderen Engine (.safetensors, .npy, .pt) mit der Basis vergleichen</translation>
    </message>
    <message>
        <source>Close the files of other engines</source>
        <translation>Dateien anderer Engines schließen</translation>
    </message>
    <message>
        <source>Take away what was opened from other engines</source>
        <translation>Entfernen, was von anderen Engines geöffnet wurde</translation>
    </message>
    <message>
        <source>Here the log-probability of every token is compared between the runs, and with other engines: the gap of trainer and sampler.</source>
        <translation>Hier wird die Log-Wahrscheinlichkeit jedes Tokens zwischen den Läufen und mit anderen Engines verglichen: die Lücke zwischen Training und Sampling.</translation>
    </message>
    <message>
        <source>Reading the log-probabilities</source>
        <translation>Log-Wahrscheinlichkeiten werden gelesen</translation>
    </message>
    <message>
        <source>Nothing to compare with %1 yet</source>
        <translation>Noch nichts mit %1 zu vergleichen</translation>
    </message>
    <message>
        <source>A row appears here for each run that has finished. The file of another engine can be opened beside it.</source>
        <translation>Für jeden fertigen Lauf erscheint hier eine Zeile. Die Datei einer anderen Engine lässt sich daneben öffnen.</translation>
    </message>
    <message>
        <source>This report kept no log-probabilities</source>
        <translation>Dieser Bericht hat keine Log-Wahrscheinlichkeiten aufbewahrt</translation>
    </message>
    <message>
        <source>Every study of this version keeps them in log_probabilities.safetensors beside its report. Run the study again, or put the file back beside the report.</source>
        <translation>Jede Studie dieser Version legt sie als log_probabilities.safetensors neben ihren Bericht. Die Studie erneut ausführen oder die Datei wieder neben den Bericht legen.</translation>
    </message>
    <message>
        <source>The log-probabilities cannot be read</source>
        <translation>Die Log-Wahrscheinlichkeiten sind nicht lesbar</translation>
    </message>
    <message>
        <source>Comparing the kept logits</source>
        <translation>Aufbewahrte Logits werden verglichen</translation>
    </message>
    <message>
        <source>%1 has no log-probabilities; the tokens are those of %2.</source>
        <translation>%1 hat keine Log-Wahrscheinlichkeiten; die Token sind die von %2.</translation>
    </message>
    <message>
        <source>Open log-probabilities of another engine</source>
        <translation>Log-Wahrscheinlichkeiten einer anderen Engine öffnen</translation>
    </message>
    <message>
        <source>Log-probabilities (*.safetensors *.npy *.npz *.pt *.pth *.h5)</source>
        <translation>Log-Wahrscheinlichkeiten (*.safetensors *.npy *.npz *.pt *.pth *.h5)</translation>
    </message>
    <message>
        <source>How far the runs are apart in the log-probabilities of the tokens, their losses and clip decisions</source>
        <translation>Wie weit die Läufe in Log-Wahrscheinlichkeiten der Token, Losses und Clip-Entscheidungen auseinanderliegen</translation>
    </message>
    <message>
        <source>Tokens of %1</source>
        <translation>Token von %1</translation>
    </message>
    <message>
        <source>%1: no token has a finite log-probability</source>
        <translation>%1: Kein Token hat eine endliche Log-Wahrscheinlichkeit</translation>
    </message>
    <message>
        <source>%1 cannot be compared</source>
        <translation>%1 ist nicht vergleichbar</translation>
    </message>
    <message>
        <source>Dumps have none. Studies keep those of every run, and compare them here.</source>
        <translation>Dumps haben keine. Studien bewahren die jedes Laufs auf und vergleichen sie hier.</translation>
    </message>
</context>
<context>
    <name>ulp::views::MappingEditor</name>
    <message>
        <source>Names of %1 in the words of %2</source>
        <translation>Namen von %1 in den Worten von %2</translation>
    </message>
    <message>
        <source>Units</source>
        <translation>Einheiten</translation>
    </message>
    <message>
        <source>The step or rank whose names are shown; the mapping is for all of them</source>
        <translation>Schritt oder Rang, dessen Namen gezeigt werden; die Zuordnung gilt für alle</translation>
    </message>
    <message>
        <source>&amp;Match the two chosen</source>
        <translation>Gewählte zu&amp;ordnen</translation>
    </message>
    <message>
        <source>Return in a list does the same; choosing a name at the left chooses its suggested partner at the right</source>
        <translation>Die Eingabetaste in einer Liste tut dasselbe; links einen Namen zu wählen wählt rechts den vorgeschlagenen Partner</translation>
    </message>
    <message>
        <source>Match all &amp;like them</source>
        <translation>Alle &amp;gleichartigen zuordnen</translation>
    </message>
    <message>
        <source>Makes a rule of the two: the same in every layer and of every expert</source>
        <translation>Macht aus beiden eine Regel: dasselbe in jeder Schicht und für jeden Experten</translation>
    </message>
    <message>
        <source>Matches every name whose suggested partner suggests it in turn</source>
        <translation>Ordnet jeden Namen zu, dessen vorgeschlagener Partner umgekehrt ihn vorschlägt</translation>
    </message>
    <message>
        <source>&amp;Undo</source>
        <translation>&amp;Rückgängig</translation>
    </message>
    <message>
        <source>Take back the last change</source>
        <translation>Letzte Änderung zurücknehmen</translation>
    </message>
    <message>
        <source>Red&amp;o</source>
        <translation>&amp;Wiederholen</translation>
    </message>
    <message>
        <source>Make the change again that was taken back</source>
        <translation>Zurückgenommene Änderung wiederherstellen</translation>
    </message>
    <message>
        <source>Loa&amp;d…</source>
        <translation>&amp;Laden…</translation>
    </message>
    <message>
        <source>Read a mapping file in place of this mapping</source>
        <translation>Eine Zuordnungsdatei anstelle dieser Zuordnung lesen</translation>
    </message>
    <message>
        <source>&amp;Save…</source>
        <translation>&amp;Speichern…</translation>
    </message>
    <message>
        <source>Write the file that ulpscope-cli compare --map reads</source>
        <translation>Die Datei schreiben, die ulpscope-cli compare --map liest</translation>
    </message>
    <message>
        <source>Compare a&amp;gain</source>
        <translation>Erneut &amp;vergleichen</translation>
    </message>
    <message>
        <source>Compare the dumps again with this mapping</source>
        <translation>Die Dumps mit dieser Zuordnung erneut vergleichen</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
    <message>
        <source>Close this window</source>
        <translation>Dieses Fenster schließen</translation>
    </message>
    <message>
        <source>Close the mapping</source>
        <translation>Zuordnung schließen</translation>
    </message>
    <message>
        <source>The mapping was changed and neither applied nor saved.</source>
        <translation>Die Zuordnung wurde geändert und weder angewendet noch gespeichert.</translation>
    </message>
    <message>
        <source>Discard</source>
        <translation>Verwerfen</translation>
    </message>
    <message>
        <source>Keep editing</source>
        <translation>Weiter bearbeiten</translation>
    </message>
    <message>
        <source>The dumps cannot be opened.</source>
        <translation>Die Dumps lassen sich nicht öffnen.</translation>
    </message>
    <message>
        <source>Reading the dumps…</source>
        <translation>Dumps werden gelesen…</translation>
    </message>
    <message>
        <source>All calls are matched: %1.</source>
        <translation>Alle Aufrufe sind zugeordnet: %1.</translation>
    </message>
    <message>
        <source>Matched calls: %1. The names below have no partner.</source>
        <translation>Zugeordnete Aufrufe: %1. Die Namen unten haben keinen Partner.</translation>
    </message>
    <message>
        <source>Tensors of matched calls without a partner: %1.</source>
        <translation>Tensoren zugeordneter Aufrufe ohne Partner: %1.</translation>
    </message>
    <message numerus="yes">
        <source>Match %n sure suggestion(s)</source>
        <translation>
            <numerusform>%n sicheren Vorschlag zuordnen</numerusform>
            <numerusform>%n sichere Vorschläge zuordnen</numerusform>
        </translation>
    </message>
    <message>
        <source>These two have no tensor of the same role and pass, by which they could be matched.</source>
        <translation>Diese beiden haben keinen Tensor gleicher Rolle und gleichen Durchlaufs, über den sie zugeordnet werden könnten.</translation>
    </message>
    <message>
        <source>and %1 more</source>
        <translation>und %1 weitere</translation>
    </message>
    <message>
        <source>%1 (baseline)</source>
        <translation>%1 (Basis)</translation>
    </message>
    <message>
        <source>%1 (candidate)</source>
        <translation>%1 (Kandidat)</translation>
    </message>
    <message>
        <source>changes no name</source>
        <translation>ändert keinen Namen</translation>
    </message>
    <message>
        <source>names changed: %1; none of them is in the baseline then</source>
        <translation>geänderte Namen: %1; keiner davon kommt dann in der Basis vor</translation>
    </message>
    <message>
        <source>names changed: %1; all of them are in the baseline then</source>
        <translation>geänderte Namen: %1; alle kommen dann in der Basis vor</translation>
    </message>
    <message>
        <source>names changed: %1; in the baseline then: %2</source>
        <translation>geänderte Namen: %1; dann in der Basis: %2</translation>
    </message>
    <message>
        <source>Kind</source>
        <translation>Art</translation>
    </message>
    <message>
        <source>Rule</source>
        <translation>Regel</translation>
    </message>
    <message>
        <source>Pair</source>
        <translation>Paar</translation>
    </message>
    <message>
        <source>Name in the candidate</source>
        <translation>Name im Kandidaten</translation>
    </message>
    <message>
        <source>Reads as</source>
        <translation>Gelesen als</translation>
    </message>
    <message>
        <source>Effect</source>
        <translation>Wirkung</translation>
    </message>
    <message>
        <source>Only in %1</source>
        <translation>Nur in %1</translation>
    </message>
    <message>
        <source>Filter</source>
        <translation>Filter</translation>
    </message>
    <message>
        <source>Filter of what is only in %1</source>
        <translation>Filter für das, was es nur in %1 gibt</translation>
    </message>
    <message>
        <source>Names that hold these letters in this order</source>
        <translation>Namen, die diese Buchstaben in dieser Reihenfolge enthalten</translation>
    </message>
    <message>
        <source>Rules and pairs of names</source>
        <translation>Regeln und Namenspaare</translation>
    </message>
    <message>
        <source>Regular expression of names</source>
        <translation>Regulärer Ausdruck für Namen</translation>
    </message>
    <message>
        <source>Names that match, as ^h\.(\d+)</source>
        <translation>Passende Namen, etwa ^h\.(\d+)</translation>
    </message>
    <message>
        <source>What matching names read as</source>
        <translation>Wie passende Namen gelesen werden</translation>
    </message>
    <message>
        <source>read as, as model.layers.$1</source>
        <translation>gelesen als, etwa model.layers.$1</translation>
    </message>
    <message>
        <source>&amp;Add rule</source>
        <translation>Regel &amp;hinzufügen</translation>
    </message>
    <message>
        <source>Adds the rule behind the others</source>
        <translation>Fügt die Regel hinter den anderen an</translation>
    </message>
    <message>
        <source>&amp;Change rule</source>
        <translation>Regel ä&amp;ndern</translation>
    </message>
    <message>
        <source>Puts the rule in the place of the chosen one</source>
        <translation>Ersetzt die gewählte Regel durch diese</translation>
    </message>
    <message>
        <source>&amp;Remove</source>
        <translation>&amp;Entfernen</translation>
    </message>
    <message>
        <source>Removes the chosen rules and pairs</source>
        <translation>Entfernt die gewählten Regeln und Paare</translation>
    </message>
    <message>
        <source>Effect of the rule</source>
        <translation>Wirkung der Regel</translation>
    </message>
    <message>
        <source>Rules and pairs</source>
        <translation>Regeln und Paare</translation>
    </message>
</context>
<context>
    <name>ulp::views::MappingHistory</name>
    <message>
        <source>match of %1</source>
        <translation>Zuordnung von %1</translation>
    </message>
    <message numerus="yes">
        <source>match of %n name(s)</source>
        <translation>
            <numerusform>Zuordnung von %n Namen</numerusform>
            <numerusform>Zuordnung von %n Namen</numerusform>
        </translation>
    </message>
    <message>
        <source>new rule</source>
        <translation>neue Regel</translation>
    </message>
    <message>
        <source>change of a rule</source>
        <translation>Änderung einer Regel</translation>
    </message>
    <message>
        <source>removal</source>
        <translation>Entfernen</translation>
    </message>
    <message>
        <source>loaded mapping</source>
        <translation>geladene Zuordnung</translation>
    </message>
</context>
<context>
    <name>ulp::views::MemoryLine</name>
    <message>
        <source>Memory of the worker over time</source>
        <translation>Speicher des Workers im Zeitverlauf</translation>
    </message>
    <message>
        <source>Memory of the worker from its start until now, from zero to its peak</source>
        <translation>Speicher des Workers vom Start bis jetzt, von null bis zum Höchstwert</translation>
    </message>
</context>
<context>
    <name>ulp::views::MessageBar</name>
    <message>
        <source>Messages</source>
        <translation>Meldungen</translation>
    </message>
</context>
<context>
    <name>ulp::views::MessageRow</name>
    <message>
        <source>Copy message</source>
        <translation>Meldung kopieren</translation>
    </message>
    <message>
        <source>Dismiss message</source>
        <translation>Meldung schließen</translation>
    </message>
</context>
<context>
    <name>ulp::views::MetricText</name>
    <message>
        <source>Lower is better.</source>
        <translation>Kleiner ist besser.</translation>
    </message>
    <message>
        <source>Higher is better.</source>
        <translation>Größer ist besser.</translation>
    </message>
    <message>
        <source>F1 defines it.</source>
        <translation>F1 zeigt die Definition.</translation>
    </message>
</context>
<context>
    <name>ulp::views::Noise</name>
    <message>
        <source>noise floor: %1</source>
        <translation>Grundrauschen: %1</translation>
    </message>
    <message>
        <source>noise: %1</source>
        <translation>Rauschen: %1</translation>
    </message>
    <message>
        <source>within the noise floor: %1</source>
        <translation>im Grundrauschen: %1</translation>
    </message>
    <message>
        <source>within the noise of %1</source>
        <translation>im Rauschen von %1</translation>
    </message>
    <message>
        <source>the noise floor is not known here: it was measured against %1</source>
        <translation>das Grundrauschen ist hier nicht bekannt: gemessen wurde gegen %1</translation>
    </message>
    <message>
        <source>the noise floor says nothing of %1, compared with another reference</source>
        <translation>das Grundrauschen sagt nichts über %1, das mit einer anderen Referenz verglichen ist</translation>
    </message>
</context>
<context>
    <name>ulp::views::OpenNamesModel</name>
    <message>
        <source>Name</source>
        <translation>Name</translation>
    </message>
    <message>
        <source>Suggested partner</source>
        <translation>Vorgeschlagener Partner</translation>
    </message>
    <message>
        <source>Score</source>
        <translation>Bewertung</translation>
    </message>
    <message>
        <source>Tensor</source>
        <translation>Tensor</translation>
    </message>
    <message>
        <source>Pass</source>
        <translation>Durchlauf</translation>
    </message>
    <message>
        <source>How alike names, shapes and dtypes are, from 0 to 1</source>
        <translation>Wie ähnlich Namen, Formen und dtypes sind, von 0 bis 1</translation>
    </message>
    <message>
        <source>%1 in %2</source>
        <translation>%1 in %2</translation>
    </message>
    <message>
        <source>Nothing on the other side is like it</source>
        <translation>Auf der anderen Seite ist nichts ähnlich</translation>
    </message>
    <message>
        <source>Names alike %1; the shapes of the tensors are not known</source>
        <translation>Ähnlichkeit der Namen %1; die Formen der Tensoren sind nicht bekannt</translation>
    </message>
    <message>
        <source>Names alike %1, tensors %2</source>
        <translation>Ähnlichkeit der Namen %1, der Tensoren %2</translation>
    </message>
    <message>
        <source>Each is the other&apos;s best partner</source>
        <translation>Jeder ist des anderen bester Partner</translation>
    </message>
    <message>
        <source>It is more like another one itself</source>
        <translation>Er ähnelt selbst einem anderen mehr</translation>
    </message>
</context>
<context>
    <name>ulp::views::OtherInputs</name>
    <message>
        <source>other tokens</source>
        <translation>andere Token</translation>
    </message>
    <message>
        <source>other weights</source>
        <translation>andere Gewichte</translation>
    </message>
    <message>
        <source>other settings of the study (%1)</source>
        <translation>andere Einstellungen der Studie (%1)</translation>
    </message>
    <message>
        <source>%1 than %2</source>
        <translation>%1 als %2</translation>
    </message>
    <message>
        <source>%1: %2; what differs is not precision alone</source>
        <translation>%1: %2; was sich unterscheidet, ist nicht die Genauigkeit allein</translation>
    </message>
</context>
<context>
    <name>ulp::views::OverrideDelegate</name>
    <message>
        <source>Name</source>
        <translation>Name</translation>
    </message>
    <message>
        <source>not overridden</source>
        <translation>nicht überschrieben</translation>
    </message>
</context>
<context>
    <name>ulp::views::Overview</name>
    <message>
        <source>Variant</source>
        <translation>Variante</translation>
    </message>
    <message>
        <source>%1 noise</source>
        <translation>Rauschen %1</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>Lauf</translation>
    </message>
    <message>
        <source>Loss</source>
        <translation>Loss</translation>
    </message>
    <message>
        <source>Flips</source>
        <translation>Gekippt</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>Zeit</translation>
    </message>
    <message>
        <source>State</source>
        <translation>Zustand</translation>
    </message>
    <message>
        <source>%1 elements are not finite</source>
        <translation>%1 Elemente sind nicht endlich</translation>
    </message>
    <message>
        <source>noise: %1</source>
        <translation>Rauschen: %1</translation>
    </message>
    <message>
        <source>within the noise, which need not mean anything</source>
        <translation>im Rauschen, muss also nichts bedeuten</translation>
    </message>
    <message>
        <source>curve of the error by depth</source>
        <translation>Fehlerkurve über die Tiefe</translation>
    </message>
    <message>
        <source>no curve yet</source>
        <translation>noch keine Kurve</translation>
    </message>
    <message>
        <source>By depth</source>
        <translation>Über die Tiefe</translation>
    </message>
    <message>
        <source>The metric along the layers, forward then backward, on one scale for all variants; triangles mark values that are not finite</source>
        <translation>Die Metrik über die Schichten, vorwärts und dann rückwärts, mit gleicher Skala für alle Varianten; Dreiecke markieren nicht endliche Werte</translation>
    </message>
    <message>
        <source>Clip decisions that are others than in the reference</source>
        <translation>Clip-Entscheidungen, die anders ausfallen als in der Referenz</translation>
    </message>
    <message>
        <source>dim: %1</source>
        <translation>blass: %1</translation>
    </message>
    <message>
        <source>±: 95 % interval of the mean over the samples</source>
        <translation>±: 95-%-Intervall des Mittels über die Stichproben</translation>
    </message>
    <message>
        <source>beside %1</source>
        <translation>neben %1</translation>
    </message>
    <message>
        <source>%1 and %2 more</source>
        <translation>%1 und %2 weitere</translation>
    </message>
    <message>
        <source>The reports differ in %1</source>
        <translation>Die Berichte unterscheiden sich in %1</translation>
    </message>
    <message>
        <source>The runs that the reports share are equal bit for bit</source>
        <translation>Die gemeinsamen Läufe der Berichte sind bitgleich</translation>
    </message>
    <message>
        <source>equal bit for bit: %1</source>
        <translation>bitgleich: %1</translation>
    </message>
    <message>
        <source>not in the first report: %1</source>
        <translation>nicht im ersten Bericht: %1</translation>
    </message>
    <message>
        <source>Starts at</source>
        <translation>Beginnt bei</translation>
    </message>
    <message>
        <source>The call where the error starts, and why</source>
        <translation>Der Aufruf, bei dem der Fehler beginnt, und warum</translation>
    </message>
    <message>
        <source>Born at</source>
        <translation>Entsteht bei</translation>
    </message>
    <message>
        <source>The first tensor whose error exceeds what its inputs explain: what came in and what it has</source>
        <translation>Der erste Tensor, dessen Fehler über das hinausgeht, was seine Eingaben erklären: was hereinkam und was er hat</translation>
    </message>
    <message>
        <source>Unit</source>
        <translation>Einheit</translation>
    </message>
    <message>
        <source>How sure</source>
        <translation>Wie sicher</translation>
    </message>
    <message>
        <source>The largest rise of the relative error along the layers, forward</source>
        <translation>Der größte Anstieg des relativen Fehlers über die Schichten, vorwärts</translation>
    </message>
    <message>
        <source>The worst number among the outputs of layers and their gradients</source>
        <translation>Die schlechteste Zahl unter den Ausgaben der Schichten und ihren Gradienten</translation>
    </message>
    <message>
        <source>Helps most</source>
        <translation>Hilft am meisten</translation>
    </message>
    <message>
        <source>The one setting that lowers the error of the logits most, among the variants that differ in it alone</source>
        <translation>Die Einstellung, die den Fehler der Logits am stärksten senkt, unter den Varianten, die sich nur in ihr unterscheiden</translation>
    </message>
    <message>
        <source>In the first report</source>
        <translation>Im ersten Bericht</translation>
    </message>
    <message>
        <source>Whether the run of this name there has the same numbers</source>
        <translation>Ob der Lauf dieses Namens dort dieselben Zahlen hat</translation>
    </message>
    <message>
        <source>The call that makes NaN or infinity</source>
        <translation>Der Aufruf, der NaN oder Unendlich macht</translation>
    </message>
    <message>
        <source>Why</source>
        <translation>Warum</translation>
    </message>
    <message>
        <source>Other experts</source>
        <translation>Andere Experten</translation>
    </message>
    <message>
        <source>Other experts, %</source>
        <translation>Andere Experten, %</translation>
    </message>
    <message>
        <source>Tokens for which routers choose other experts than in the reference, of all layers</source>
        <translation>Token aller Schichten, für die Router andere Experten wählen als in der Referenz</translation>
    </message>
    <message>
        <source>Worst layer</source>
        <translation>Schlechteste Schicht</translation>
    </message>
    <message>
        <source>Grows forward</source>
        <translation>Wächst vorwärts</translation>
    </message>
</context>
<context>
    <name>ulp::views::OverviewView</name>
    <message>
        <source>Verdict on the variants</source>
        <translation>Urteil über die Varianten</translation>
    </message>
    <message>
        <source>Summary of the variants</source>
        <translation>Zusammenfassung der Varianten</translation>
    </message>
    <message>
        <source>Here each variant has a row: where in the pass it loses precision, its loss and its time.</source>
        <translation>Hier hat jede Variante eine Zeile: wo sie Präzision verliert, ihr Loss und ihre Zeit.</translation>
    </message>
    <message>
        <source>Summary of the variants: %1</source>
        <translation>Zusammenfassung der Varianten: %1</translation>
    </message>
    <message>
        <source>Overview</source>
        <translation>Übersicht</translation>
    </message>
    <message>
        <source>Where each variant loses precision, at a glance</source>
        <translation>Wo jede Variante Präzision verliert, auf einen Blick</translation>
    </message>
    <message>
        <source>cannot be asked</source>
        <translation>können nicht gefragt werden</translation>
    </message>
    <message>
        <source>being asked…</source>
        <translation>werden gefragt…</translation>
    </message>
    <message>
        <source>Rules</source>
        <translation>Regeln</translation>
    </message>
    <message>
        <source>Rules %1</source>
        <translation>Regeln %1</translation>
    </message>
    <message>
        <source>Show the rules and what each of them says</source>
        <translation>Die Regeln zeigen, und was jede von ihnen sagt</translation>
    </message>
</context>
<context>
    <name>ulp::views::PalettePopup</name>
    <message>
        <source>Reading…</source>
        <translation>Wird gelesen…</translation>
    </message>
    <message>
        <source>The best %1 of %2</source>
        <translation>Die besten %1 von %2</translation>
    </message>
    <message>
        <source>Matches: %1</source>
        <translation>Treffer: %1</translation>
    </message>
</context>
<context>
    <name>ulp::views::ParallelChart</name>
    <message>
        <source>Settings and errors of the variants</source>
        <translation>Einstellungen und Fehler der Varianten</translation>
    </message>
    <message numerus="yes">
        <source>%n variants over settings and errors (%1).</source>
        <translation>
            <numerusform>%n Variante über Einstellungen und Fehler (%1).</numerusform>
            <numerusform>%n Varianten über Einstellungen und Fehler (%1).</numerusform>
        </translation>
    </message>
    <message>
        <source>%1, %2 elements are not finite</source>
        <translation>%1, %2 Elemente sind nicht endlich</translation>
    </message>
    <message>
        <source>%1 elements are not finite</source>
        <translation>%1 Elemente sind nicht endlich</translation>
    </message>
</context>
<context>
    <name>ulp::views::PassText</name>
    <message>
        <source>Forward</source>
        <translation>Vorwärts</translation>
    </message>
    <message>
        <source>Forward →</source>
        <translation>Vorwärts →</translation>
    </message>
    <message>
        <source>Backward</source>
        <translation>Rückwärts</translation>
    </message>
    <message>
        <source>Backward →</source>
        <translation>Rückwärts →</translation>
    </message>
    <message>
        <source>Parameter gradients</source>
        <translation>Parametergradienten</translation>
    </message>
    <message>
        <source>Optimizer</source>
        <translation>Optimizer</translation>
    </message>
</context>
<context>
    <name>ulp::views::PrintedPages</name>
    <message>
        <source>page %1</source>
        <translation>Seite %1</translation>
    </message>
</context>
<context>
    <name>ulp::views::RecentlyOpened</name>
    <message>
        <source>Report</source>
        <translation>Bericht</translation>
    </message>
    <message>
        <source>Study</source>
        <translation>Studie</translation>
    </message>
</context>
<context>
    <name>ulp::views::ReportDocument</name>
    <message>
        <source>%1 against %2</source>
        <translation>%1 gegen %2</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 von %2</translation>
    </message>
    <message>
        <source>that of the run ÷ that of %1; %2</source>
        <translation>der Wert des Laufs ÷ der von %1; %2</translation>
    </message>
    <message>
        <source>that of the run − that of %1; %2</source>
        <translation>der Wert des Laufs − der von %1; %2</translation>
    </message>
    <message>
        <source>of several formats</source>
        <translation>(gemischt)</translation>
    </message>
    <message>
        <source>of %1</source>
        <translation>von %1</translation>
    </message>
</context>
<context>
    <name>ulp::views::ReportPalette</name>
    <message>
        <source>variant</source>
        <translation>Variante</translation>
    </message>
</context>
<context>
    <name>ulp::views::ReportRules</name>
    <message>
        <source>Rules are asked of errors, not of how they stand to those of a baseline: show the errors</source>
        <translation>Regeln prüfen Fehler, nicht ihr Verhältnis zu denen einer Basis: die Fehler zeigen</translation>
    </message>
    <message>
        <source>The elements are being read</source>
        <translation>Die Elemente werden gelesen</translation>
    </message>
</context>
<context>
    <name>ulp::views::ReportSet</name>
    <message>
        <source>Comparing the kept tensors of every run with those of %1…</source>
        <translation>Die aufbewahrten Tensoren jedes Laufs werden mit denen von %1 verglichen…</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>Stoppen</translation>
    </message>
    <message>
        <source>Show errors as multiples of its errors</source>
        <translation>Fehler als Vielfache seiner Fehler zeigen</translation>
    </message>
    <message numerus="yes">
        <source>%n tensor(s) could not be compared: kept by one of two runs only, or in another shape.</source>
        <translation>
            <numerusform>%n Tensor war nicht vergleichbar: nur von einem der beiden Läufe aufbewahrt oder von anderer Form.</numerusform>
            <numerusform>%n Tensoren waren nicht vergleichbar: nur von einem der beiden Läufe aufbewahrt oder von anderer Form.</numerusform>
        </translation>
    </message>
    <message>
        <source>The example is shown without its tensors, which could not be unpacked: %1</source>
        <translation>Das Beispiel wird ohne seine Tensoren gezeigt, die nicht entpackt werden konnten: %1</translation>
    </message>
    <message>
        <source>Compared without the mapping file, whose names are those of %1.</source>
        <translation>Verglichen ohne die Zuordnungsdatei, deren Namen die von %1 sind.</translation>
    </message>
</context>
<context>
    <name>ulp::views::ReportWatch</name>
    <message>
        <source>%1 holds %2 of %3 runs. If the others are still being made, they appear here by themselves.</source>
        <translation>%1 enthält %2 von %3 Läufen. Falls die anderen noch entstehen, erscheinen sie hier von selbst.</translation>
    </message>
    <message>
        <source>%1 was written anew by another program.</source>
        <translation>%1 wurde von einem anderen Programm neu geschrieben.</translation>
    </message>
    <message>
        <source>Show what it holds now</source>
        <translation>Neuen Inhalt zeigen</translation>
    </message>
</context>
<context>
    <name>ulp::views::RuleCheckView</name>
    <message>
        <source>Variants judged by the rules</source>
        <translation>Varianten nach dem Urteil der Regeln</translation>
    </message>
    <message>
        <source>Outcome of each rule</source>
        <translation>Ergebnis jeder Regel</translation>
    </message>
    <message>
        <source>Here you choose rules of what must hold, such as tolerances, and see which variants pass.</source>
        <translation>Hier stehen Regeln für das, was gelten muss, etwa Toleranzen, und welche Varianten bestehen.</translation>
    </message>
    <message>
        <source>%1 · reading elements…</source>
        <translation>%1 · Elemente werden gelesen…</translation>
    </message>
    <message>
        <source>Asking the rules…</source>
        <translation>Regeln werden geprüft…</translation>
    </message>
    <message>
        <source>Choose rules at the left, or write some: every row of the table then says whether it passes. NaN and infinities that the baseline does not have fail, unless a rule allows them.</source>
        <translation>Links Regeln wählen oder schreiben: Jede Zeile der Tabelle zeigt dann, ob sie besteht. NaN und Unendlich, die die Basis nicht hat, gelten als verletzt, sofern keine Regel sie erlaubt.</translation>
    </message>
    <message>
        <source>Rules</source>
        <translation>Regeln</translation>
    </message>
    <message>
        <source>What must hold of every tensor, and what does not</source>
        <translation>Was für jeden Tensor gelten muss und was verletzt ist</translation>
    </message>
    <message>
        <source>%1
Tensors could not be read: %2</source>
        <translation>%1
Tensoren konnten nicht gelesen werden: %2</translation>
    </message>
</context>
<context>
    <name>ulp::views::RuleVerdicts</name>
    <message>
        <source>pass</source>
        <translation>bestanden</translation>
    </message>
    <message>
        <source>warning</source>
        <translation>Warnung</translation>
    </message>
    <message>
        <source>fail</source>
        <translation>nicht bestanden</translation>
    </message>
    <message>
        <source>not judged</source>
        <translation>nicht beurteilt</translation>
    </message>
    <message numerus="yes">
        <source>%n warning(s)</source>
        <translation>
            <numerusform>%n Warnung</numerusform>
            <numerusform>%n Warnungen</numerusform>
        </translation>
    </message>
    <message>
        <source>reading elements…</source>
        <translation>Elemente werden gelesen…</translation>
    </message>
    <message numerus="yes">
        <source>fail: %1 of %n tensor(s)</source>
        <translation>
            <numerusform>nicht bestanden: %1 von %n Tensor</numerusform>
            <numerusform>nicht bestanden: %1 von %n Tensoren</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>pass: %1 of %n tensor(s)</source>
        <translation>
            <numerusform>bestanden: %1 von %n Tensor</numerusform>
            <numerusform>bestanden: %1 von %n Tensoren</numerusform>
        </translation>
    </message>
    <message>
        <source>not judged: %1</source>
        <translation>nicht beurteilt: %1</translation>
    </message>
</context>
<context>
    <name>ulp::views::RulesEditor</name>
    <message>
        <source>Open…</source>
        <translation>Öffnen…</translation>
    </message>
    <message>
        <source>Save as…</source>
        <translation>Speichern unter…</translation>
    </message>
    <message>
        <source>Put into the rules</source>
        <translation>In die Regeln einfügen</translation>
    </message>
    <message>
        <source>Show</source>
        <translation>Zeigen</translation>
    </message>
    <message>
        <source>Revert</source>
        <translation>Zurücksetzen</translation>
    </message>
    <message>
        <source>Apply</source>
        <translation>Anwenden</translation>
    </message>
    <message>
        <source>Rules</source>
        <translation>Regeln</translation>
    </message>
    <message>
        <source>Text of the rules</source>
        <translation>Text der Regeln</translation>
    </message>
    <message>
        <source>Ask these rules of the report (Ctrl+Return)</source>
        <translation>Den Bericht mit diesen Regeln prüfen (Strg+Eingabe)</translation>
    </message>
    <message>
        <source>|variant − reference| ≤ atol + rtol · |reference| for every element</source>
        <translation>|Variante − Referenz| ≤ atol + rtol · |Referenz| für jedes Element</translation>
    </message>
    <message>
        <source>No rules</source>
        <translation>Keine Regeln</translation>
    </message>
    <message>
        <source>Rules of your own</source>
        <translation>Eigene Regeln</translation>
    </message>
    <message>
        <source>Open rules</source>
        <translation>Regeln öffnen</translation>
    </message>
    <message>
        <source>Rules (*.yaml *.yml)</source>
        <translation>Regeln (*.yaml *.yml)</translation>
    </message>
    <message>
        <source>All files (*)</source>
        <translation>Alle Dateien (*)</translation>
    </message>
    <message>
        <source>Save the rules</source>
        <translation>Regeln speichern</translation>
    </message>
    <message>
        <source>Line %1, column %2: %3</source>
        <translation>Zeile %1, Spalte %2: %3</translation>
    </message>
    <message>
        <source>Changed, not applied</source>
        <translation>Geändert, nicht angewendet</translation>
    </message>
    <message>
        <source>No rules are asked</source>
        <translation>Keine Regeln werden geprüft</translation>
    </message>
    <message>
        <source>These rules are asked</source>
        <translation>Diese Regeln werden geprüft</translation>
    </message>
</context>
<context>
    <name>ulp::views::RunLauncher</name>
    <message>
        <source>Resume</source>
        <translation>Fortsetzen</translation>
    </message>
    <message>
        <source>%1 already holds the results of this study.</source>
        <translation>%1 enthält die Ergebnisse dieser Studie bereits.</translation>
    </message>
    <message>
        <source>Open them</source>
        <translation>Ergebnisse öffnen</translation>
    </message>
    <message>
        <source>%1 already holds results of this study: %2 of %3 runs are finished. Resume keeps them and makes the others.</source>
        <translation>%1 enthält bereits Ergebnisse dieser Studie: %2 von %3 Läufen sind fertig. „Fortsetzen“ behält sie und rechnet die übrigen.</translation>
    </message>
    <message>
        <source>%1 holds results that this study cannot continue: %2.</source>
        <translation>%1 enthält Ergebnisse, die diese Studie nicht fortsetzen kann: %2.</translation>
    </message>
    <message>
        <source>New folder</source>
        <translation>Neuer Ordner</translation>
    </message>
    <message>
        <source>Replace</source>
        <translation>Ersetzen</translation>
    </message>
    <message numerus="yes">
        <source>%n variant(s) failed and would be tried again.</source>
        <translation>
            <numerusform>%n Variante ist fehlgeschlagen und würde erneut versucht.</numerusform>
            <numerusform>%n Varianten sind fehlgeschlagen und würden erneut versucht.</numerusform>
        </translation>
    </message>
    <message>
        <source>Resume without them</source>
        <translation>Ohne sie fortsetzen</translation>
    </message>
    <message>
        <source>Running %1 executes code that is not Ulpscope&apos;s, with all rights that you have: %2. Run it only if you trust whoever wrote it.</source>
        <translation>%1 führt Code aus, der nicht von Ulpscope ist, mit allen Rechten, die Sie haben: %2. Starten Sie nur, wenn Sie dem vertrauen, der ihn geschrieben hat.</translation>
    </message>
    <message>
        <source>Run it</source>
        <translation>Ausführen</translation>
    </message>
    <message>
        <source>%1 already holds results of this study: %2 of %3 runs are finished, the others have %4 of %5 samples. Resume keeps all of that and makes the rest.</source>
        <translation>%1 enthält bereits Ergebnisse dieser Studie: %2 von %3 Läufen sind fertig, die übrigen haben %4 von %5 Stichproben. „Fortsetzen“ behält all das und rechnet den Rest.</translation>
    </message>
</context>
<context>
    <name>ulp::views::Runs</name>
    <message>
        <source>State</source>
        <translation>Zustand</translation>
    </message>
    <message>
        <source>Progress</source>
        <translation>Fortschritt</translation>
    </message>
    <message>
        <source>Left</source>
        <translation>Restzeit</translation>
    </message>
    <message>
        <source>Elapsed</source>
        <translation>Dauer</translation>
    </message>
    <message>
        <source>Forward and backward pass alone: %1</source>
        <translation>Nur Vorwärts- und Rückwärtslauf: %1</translation>
    </message>
    <message>
        <source>Loss</source>
        <translation>Loss</translation>
    </message>
    <message>
        <source>Study</source>
        <translation>Studie</translation>
    </message>
    <message>
        <source>Done of the whole study</source>
        <translation>Erledigt von der ganzen Studie</translation>
    </message>
    <message>
        <source>Time left, once one run has been timed</source>
        <translation>Verbleibende Zeit, sobald die Zeit eines Laufs bekannt ist</translation>
    </message>
    <message>
        <source>Since the worker was started</source>
        <translation>Seit dem Start des Workers</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>Speicher</translation>
    </message>
    <message>
        <source>Main memory of the worker: now, or the most that it had</source>
        <translation>Hauptspeicher des Workers: jetzt, oder der höchste Stand</translation>
    </message>
    <message>
        <source>Results</source>
        <translation>Ergebnisse</translation>
    </message>
    <message>
        <source>Folder of the results</source>
        <translation>Ordner der Ergebnisse</translation>
    </message>
    <message>
        <source>Variant</source>
        <translation>Variante</translation>
    </message>
    <message>
        <source>Done of this run</source>
        <translation>Erledigt von diesem Lauf</translation>
    </message>
    <message>
        <source>Time left of this run, once one has been timed</source>
        <translation>Verbleibende Zeit dieses Laufs, sobald die Zeit eines anderen bekannt ist</translation>
    </message>
    <message>
        <source>Peak memory</source>
        <translation>Spitzenspeicher</translation>
    </message>
    <message>
        <source>The most memory of the device; on the CPU of the whole worker</source>
        <translation>Höchster Speicherstand des Geräts; auf der CPU der des ganzen Workers</translation>
    </message>
    <message>
        <source>Where, or why not</source>
        <translation>Wo, oder warum nicht</translation>
    </message>
    <message>
        <source>Pass and module where the run is, or why it failed</source>
        <translation>Durchlauf und Modul, in dem der Lauf ist, oder warum er fehlschlug</translation>
    </message>
    <message>
        <source>Error</source>
        <translation>Fehler</translation>
    </message>
    <message>
        <source>Queue of studies</source>
        <translation>Warteschlange der Studien</translation>
    </message>
    <message>
        <source>Runs of %1</source>
        <translation>Läufe von %1</translation>
    </message>
    <message>
        <source>stopping</source>
        <translation>wird gestoppt</translation>
    </message>
    <message>
        <source>died</source>
        <translation>abgestürzt</translation>
    </message>
    <message>
        <source>not run</source>
        <translation>nicht gelaufen</translation>
    </message>
    <message>
        <source>to be skipped</source>
        <translation>wird übersprungen</translation>
    </message>
    <message>
        <source>load</source>
        <translation>Laden</translation>
    </message>
    <message>
        <source>write</source>
        <translation>Schreiben</translation>
    </message>
    <message>
        <source>choose tokens</source>
        <translation>Token wählen</translation>
    </message>
    <message>
        <source>In which the run went on: passes, casts, comparisons, writing</source>
        <translation>Solange der Lauf an der Reihe war: Durchläufe, Casts, Vergleiche, Schreiben</translation>
    </message>
</context>
<context>
    <name>ulp::views::RunsView</name>
    <message>
        <source>Pause the queue</source>
        <translation>Warteschlange pausieren</translation>
    </message>
    <message>
        <source>Start no further study; the one that runs goes on to its end</source>
        <translation>Keine weitere Studie starten; die laufende läuft zu Ende</translation>
    </message>
    <message>
        <source>Add studies…</source>
        <translation>Studien einreihen…</translation>
    </message>
    <message>
        <source>Choose study files; they run one after the other</source>
        <translation>Studiendateien wählen; sie laufen nacheinander</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>Stoppen</translation>
    </message>
    <message>
        <source>Stop this study; what is finished stays</source>
        <translation>Diese Studie stoppen; was fertig ist, bleibt</translation>
    </message>
    <message>
        <source>Skip variant</source>
        <translation>Überspringen</translation>
    </message>
    <message>
        <source>Leave out the chosen variant, or the one that runs; the study goes on with the next</source>
        <translation>Die gewählte oder die laufende Variante auslassen; die Studie macht mit der nächsten weiter</translation>
    </message>
    <message>
        <source>Resume</source>
        <translation>Fortsetzen</translation>
    </message>
    <message>
        <source>Run what failed, was stopped or is missing; what is finished is kept</source>
        <translation>Ausführen, was fehlschlug, gestoppt wurde oder fehlt; was fertig ist, bleibt</translation>
    </message>
    <message>
        <source>Run this variant</source>
        <translation>Variante ausführen</translation>
    </message>
    <message>
        <source>Run this variant alone; what is finished is kept</source>
        <translation>Nur diese Variante ausführen; was fertig ist, bleibt</translation>
    </message>
    <message>
        <source>Edit and run again</source>
        <translation>Ändern und neu starten</translation>
    </message>
    <message>
        <source>Open the study in the editor, with a new folder for its results</source>
        <translation>Studie im Editor öffnen, mit neuem Ergebnisordner</translation>
    </message>
    <message>
        <source>Show results</source>
        <translation>Ergebnisse zeigen</translation>
    </message>
    <message>
        <source>Open the report of this study and follow it</source>
        <translation>Bericht dieser Studie öffnen und verfolgen</translation>
    </message>
    <message>
        <source>Move up</source>
        <translation>Nach oben</translation>
    </message>
    <message>
        <source>Start this study earlier</source>
        <translation>Diese Studie früher starten</translation>
    </message>
    <message>
        <source>Move down</source>
        <translation>Nach unten</translation>
    </message>
    <message>
        <source>Start this study later</source>
        <translation>Diese Studie später starten</translation>
    </message>
    <message>
        <source>Remove from the list</source>
        <translation>Aus der Liste entfernen</translation>
    </message>
    <message>
        <source>Take this study off the list; its files stay</source>
        <translation>Diese Studie aus der Liste nehmen; ihre Dateien bleiben</translation>
    </message>
    <message>
        <source>Copy log</source>
        <translation>Log kopieren</translation>
    </message>
    <message>
        <source>Copy the messages that are shown in the log</source>
        <translation>Die im Log gezeigten Meldungen kopieren</translation>
    </message>
    <message>
        <source>Skip %1</source>
        <translation>%1 überspringen</translation>
    </message>
    <message>
        <source>The queue is paused: nothing new starts.</source>
        <translation>Die Warteschlange ist pausiert: Nichts Neues startet.</translation>
    </message>
    <message>
        <source>Queue</source>
        <translation>Warteschlange</translation>
    </message>
    <message>
        <source>Runs of the study</source>
        <translation>Läufe der Studie</translation>
    </message>
    <message>
        <source>Nothing has been run</source>
        <translation>Noch nichts ausgeführt</translation>
    </message>
    <message>
        <source>Run a study, or drop study files here, to see its progress and its log.</source>
        <translation>Eine Studie ausführen oder Studiendateien hier ablegen, um Fortschritt und Log zu sehen.</translation>
    </message>
    <message>
        <source>Queue of studies</source>
        <translation>Warteschlange der Studien</translation>
    </message>
    <message>
        <source>Runs of %1</source>
        <translation>Läufe von %1</translation>
    </message>
    <message>
        <source>Runs</source>
        <translation>Läufe</translation>
    </message>
    <message>
        <source>The queue of studies and their log</source>
        <translation>Die Warteschlange der Studien und ihr Log</translation>
    </message>
    <message>
        <source>Resume without what failed</source>
        <translation>Ohne Fehlgeschlagenes fortsetzen</translation>
    </message>
    <message>
        <source>Run what was stopped or is missing; variants that failed are not tried again</source>
        <translation>Führt aus, was gestoppt wurde oder fehlt; fehlgeschlagene Varianten werden nicht erneut versucht</translation>
    </message>
</context>
<context>
    <name>ulp::views::ScaleBar</name>
    <message>
        <source>Not finite</source>
        <translation>Nicht endlich</translation>
    </message>
    <message>
        <source>Missing</source>
        <translation>Fehlt</translation>
    </message>
    <message>
        <source>Above the range</source>
        <translation>Über dem Bereich</translation>
    </message>
    <message>
        <source>Below the range</source>
        <translation>Unter dem Bereich</translation>
    </message>
</context>
<context>
    <name>ulp::views::SettingsDialog</name>
    <message>
        <source>Search settings</source>
        <translation>Einstellungen durchsuchen</translation>
    </message>
    <message>
        <source>No setting is called that.</source>
        <translation>Keine Einstellung heißt so.</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>Einstellungen</translation>
    </message>
    <message>
        <source>Pages</source>
        <translation>Seiten</translation>
    </message>
    <message>
        <source>Kept in %1</source>
        <translation>Gespeichert in %1</translation>
    </message>
    <message>
        <source>&amp;Reset this page</source>
        <translation>Seite &amp;zurücksetzen</translation>
    </message>
    <message>
        <source>All settings of this page back to their defaults</source>
        <translation>Alle Einstellungen dieser Seite auf ihre Vorgaben setzen</translation>
    </message>
</context>
<context>
    <name>ulp::views::SettingsStore</name>
    <message>
        <source>settings</source>
        <translation>Einstellungen</translation>
    </message>
    <message>
        <source>%1 (%2) could not be read. It was kept as %3, and the program starts with what it brings.</source>
        <translation>%1 (%2) war nicht lesbar. Die Datei ist als %3 aufbewahrt; das Programm startet mit seinen Vorgaben.</translation>
    </message>
    <message>
        <source>%1 (%2) could not be read and could not be set aside: %3. The program starts with what it brings.</source>
        <translation>%1 (%2) war nicht lesbar und ließ sich nicht beiseitelegen: %3. Das Programm startet mit seinen Vorgaben.</translation>
    </message>
    <message>
        <source>%1 cannot be written: settings that you change hold until the program ends.</source>
        <translation>%1 kann nicht geschrieben werden: geänderte Einstellungen gelten bis zum Ende des Programms.</translation>
    </message>
</context>
<context>
    <name>ulp::views::Severity</name>
    <message>
        <source>fine</source>
        <translation>gut</translation>
    </message>
    <message>
        <source>look</source>
        <translation>prüfen</translation>
    </message>
    <message>
        <source>broken</source>
        <translation>defekt</translation>
    </message>
    <message>
        <source>waiting</source>
        <translation>wartet</translation>
    </message>
    <message>
        <source>running</source>
        <translation>läuft</translation>
    </message>
    <message>
        <source>finished</source>
        <translation>fertig</translation>
    </message>
    <message>
        <source>stopped</source>
        <translation>gestoppt</translation>
    </message>
    <message>
        <source>skipped</source>
        <translation>übersprungen</translation>
    </message>
    <message>
        <source>failed</source>
        <translation>fehlgeschlagen</translation>
    </message>
</context>
<context>
    <name>ulp::views::ShortcutEditor</name>
    <message>
        <source>Search for a command or a key</source>
        <translation>Befehl oder Taste suchen</translation>
    </message>
    <message>
        <source>&amp;Assign</source>
        <translation>&amp;Zuweisen</translation>
    </message>
    <message>
        <source>No &amp;keys</source>
        <translation>&amp;Keine Tasten</translation>
    </message>
    <message>
        <source>&amp;Default</source>
        <translation>&amp;Standard</translation>
    </message>
    <message>
        <source>All to de&amp;faults</source>
        <translation>&amp;Alle auf Standard</translation>
    </message>
    <message>
        <source>Commands and their keys</source>
        <translation>Befehle und ihre Tasten</translation>
    </message>
    <message>
        <source>New keys</source>
        <translation>Neue Tasten</translation>
    </message>
    <message>
        <source>Who has these keys</source>
        <translation>Wem diese Tasten gehören</translation>
    </message>
    <message>
        <source>&amp;Import…</source>
        <translation>&amp;Importieren…</translation>
    </message>
    <message>
        <source>&amp;Export…</source>
        <translation>&amp;Exportieren…</translation>
    </message>
    <message>
        <source>&amp;New keys:</source>
        <translation>&amp;Neue Tasten:</translation>
    </message>
    <message>
        <source>By default: %1</source>
        <translation>Vorgabe: %1</translation>
    </message>
    <message>
        <source>%1 belongs to “%2”. Choose other keys, or take them from there first.</source>
        <translation>%1 gehört zu „%2“. Andere Tasten wählen oder sie dort zuerst entfernen.</translation>
    </message>
    <message>
        <source>Import shortcuts</source>
        <translation>Tastenkürzel importieren</translation>
    </message>
    <message>
        <source>Shortcuts (*.json)</source>
        <translation>Tastenkürzel (*.json)</translation>
    </message>
    <message>
        <source>Export shortcuts</source>
        <translation>Tastenkürzel exportieren</translation>
    </message>
    <message>
        <source>Imported from %1.</source>
        <translation>Aus %1 importiert.</translation>
    </message>
    <message>
        <source>Exported to %1.</source>
        <translation>Nach %1 exportiert.</translation>
    </message>
</context>
<context>
    <name>ulp::views::ShortcutScheme</name>
    <message>
        <source>This is not a scheme of shortcuts: “format” must be “%1”.</source>
        <translation>Das ist kein Schema von Tastenkürzeln: „format“ muss „%1“ sein.</translation>
    </message>
    <message>
        <source>%1: “%2” names no key.</source>
        <translation>%1: „%2“ bezeichnet keine Taste.</translation>
    </message>
    <message>
        <source>“%1” and “%2” would share %3. Nothing was changed.</source>
        <translation>„%1“ und „%2“ hätten beide %3. Nichts wurde geändert.</translation>
    </message>
</context>
<context>
    <name>ulp::views::ShortcutSheet</name>
    <message>
        <source>In every chart</source>
        <translation>In jedem Diagramm</translation>
    </message>
    <message>
        <source>Previous or next tensor</source>
        <translation>Vorheriger oder nächster Tensor</translation>
    </message>
    <message>
        <source>Previous or next variant</source>
        <translation>Vorherige oder nächste Variante</translation>
    </message>
    <message>
        <source>First or last tensor</source>
        <translation>Erster oder letzter Tensor</translation>
    </message>
    <message>
        <source>Zoom in or out</source>
        <translation>Vergrößern oder verkleinern</translation>
    </message>
    <message>
        <source>Show everything</source>
        <translation>Alles zeigen</translation>
    </message>
    <message>
        <source>Go deeper</source>
        <translation>Eine Ebene tiefer</translation>
    </message>
    <message>
        <source>Keyboard shortcuts of Ulpscope</source>
        <translation>Tastenkürzel von Ulpscope</translation>
    </message>
    <message>
        <source>Command</source>
        <translation>Befehl</translation>
    </message>
    <message>
        <source>Keys</source>
        <translation>Tasten</translation>
    </message>
    <message>
        <source>Search for a command or a key</source>
        <translation>Befehl oder Taste suchen</translation>
    </message>
    <message>
        <source>No shortcut is called that.</source>
        <translation>Kein Tastenkürzel heißt so.</translation>
    </message>
    <message>
        <source>Keyboard shortcuts</source>
        <translation>Tastenkürzel</translation>
    </message>
    <message>
        <source>&amp;Print…</source>
        <translation>&amp;Drucken…</translation>
    </message>
</context>
<context>
    <name>ulp::views::SiteText</name>
    <message>
        <source>forward</source>
        <translation>vorwärts</translation>
    </message>
    <message>
        <source>backward</source>
        <translation>rückwärts</translation>
    </message>
    <message>
        <source>parameter gradient</source>
        <translation>Parametergradient</translation>
    </message>
    <message>
        <source>optimizer</source>
        <translation>Optimizer</translation>
    </message>
    <message>
        <source>scalar</source>
        <translation>Skalar</translation>
    </message>
</context>
<context>
    <name>ulp::views::SliceBar</name>
    <message>
        <source>Rows</source>
        <translation>Zeilen</translation>
    </message>
    <message>
        <source>Columns</source>
        <translation>Spalten</translation>
    </message>
    <message>
        <source>Slice as NumPy writes it: 0, :, 5:10, ::2, …</source>
        <translation>Ausschnitt in NumPy-Schreibweise: 0, :, 5:10, ::2, …</translation>
    </message>
    <message>
        <source>everything</source>
        <translation>alles</translation>
    </message>
    <message>
        <source>Slice</source>
        <translation>Ausschnitt</translation>
    </message>
    <message>
        <source>folded</source>
        <translation>gefaltet</translation>
    </message>
    <message>
        <source>Position in %1</source>
        <translation>Position in %1</translation>
    </message>
</context>
<context>
    <name>ulp::views::Spread</name>
    <message>
        <source>95 % interval of the mean: ±%1</source>
        <translation>95-%-Intervall des Mittels: ±%1</translation>
    </message>
    <message>
        <source>standard deviation: %1</source>
        <translation>Standardabweichung: %1</translation>
    </message>
    <message>
        <source>smallest: %1, largest: %2</source>
        <translation>kleinster: %1, größter: %2</translation>
    </message>
    <message>
        <source>mean of %1 samples</source>
        <translation>Mittel von %1 Stichproben</translation>
    </message>
    <message>
        <source>mean of the %1 of %2 samples in which it is a finite number</source>
        <translation>Mittel der %1 von %2 Stichproben, in denen der Wert eine endliche Zahl ist</translation>
    </message>
</context>
<context>
    <name>ulp::views::StudyDocument</name>
    <message>
        <source>recovery</source>
        <translation>Wiederherstellung</translation>
    </message>
    <message>
        <source>The new study</source>
        <translation>Die neue Studie</translation>
    </message>
    <message>
        <source>%1 was closed with edits that are not saved.</source>
        <translation>%1 wurde mit nicht gespeicherten Änderungen geschlossen.</translation>
    </message>
    <message>
        <source>Bring it back</source>
        <translation>Zurückholen</translation>
    </message>
    <message>
        <source>typing</source>
        <translation>Eingabe</translation>
    </message>
    <message>
        <source>%1: changed by another program since it was read; nothing was written</source>
        <translation>%1: seit dem Lesen von einem anderen Programm geändert; nichts wurde geschrieben</translation>
    </message>
</context>
<context>
    <name>ulp::views::StudyForecast</name>
    <message>
        <source>Sites as the model&apos;s configuration tells.</source>
        <translation>Stellen laut Konfiguration des Modells.</translation>
    </message>
    <message>
        <source>The token file decides how much is computed.</source>
        <translation>Die Tokendatei bestimmt, wie viel gerechnet wird.</translation>
    </message>
    <message>
        <source>from the run of %1 on %2, scaled to what is captured now</source>
        <translation>nach dem Lauf von %1 auf %2, umgerechnet auf die jetzige Aufzeichnung</translation>
    </message>
    <message>
        <source>rough: from shapes and assumed speeds; cores: %1</source>
        <translation>grob: aus Formen und angenommenen Geschwindigkeiten; Kerne: %1</translation>
    </message>
    <message>
        <source>Sites of the open report; the model&apos;s could not be read.</source>
        <translation>Stellen des geöffneten Berichts; die des Modells waren nicht lesbar.</translation>
    </message>
    <message>
        <source>Which sites there are is known once the model can be read.</source>
        <translation>Welche Stellen es gibt, steht fest, sobald das Modell lesbar ist.</translation>
    </message>
    <message>
        <source>%1 ms</source>
        <translation>%1 ms</translation>
    </message>
    <message>
        <source>%1 s</source>
        <translation>%1 s</translation>
    </message>
    <message>
        <source>%1 min</source>
        <translation>%1 min</translation>
    </message>
    <message>
        <source>%1 h</source>
        <translation>%1 h</translation>
    </message>
    <message>
        <source>about %1</source>
        <translation>etwa %1</translation>
    </message>
    <message>
        <source>time not known</source>
        <translation>Zeit unbekannt</translation>
    </message>
    <message>
        <source>%1, %2 of memory, %3 of the GPU&apos;s, %4 on disk</source>
        <translation>%1, Speicher %2, GPU-Speicher %3, Platte %4</translation>
    </message>
    <message>
        <source>%1, %2 of memory, %3 on disk</source>
        <translation>%1, Speicher %2, Platte %3</translation>
    </message>
    <message>
        <source>%1 of %2 sites are captured.</source>
        <translation>%1 von %2 Stellen werden aufgezeichnet.</translation>
    </message>
    <message>
        <source>Takes %1 of %2 sites away.</source>
        <translation>Nimmt %1 von %2 Stellen weg.</translation>
    </message>
    <message>
        <source>%1 is no folder, and output_dir lies there</source>
        <translation>%1 ist kein Ordner, und output_dir liegt dort</translation>
    </message>
    <message>
        <source>output_dir cannot be made: nothing may be written to %1</source>
        <translation>output_dir kann nicht angelegt werden: In %1 darf nichts geschrieben werden</translation>
    </message>
    <message>
        <source>the model runs in Python (%1)</source>
        <translation>das Modell läuft in Python (%1)</translation>
    </message>
    <message>
        <source>weights %1</source>
        <translation>Gewichte %1</translation>
    </message>
    <message>
        <source>their gradients %1</source>
        <translation>ihre Gradienten %1</translation>
    </message>
    <message>
        <source>activations %1</source>
        <translation>Aktivierungen %1</translation>
    </message>
    <message>
        <source>captures %1</source>
        <translation>erfasste Tensoren %1</translation>
    </message>
    <message>
        <source>operations %1</source>
        <translation>Operationen %1</translation>
    </message>
    <message>
        <source>The GPU&apos;s memory at the peak of %1: %2</source>
        <translation>Speicher der GPU am Höchststand von %1: %2</translation>
    </message>
    <message>
        <source>%1; %2 are free</source>
        <translation>%1; %2 sind frei</translation>
    </message>
    <message>
        <source>The GPU may be too small: %1 are needed, and about %2 for CUDA itself. A shorter sequence, a smaller micro-batch or the forward pass alone takes less.</source>
        <translation>Die GPU ist vielleicht zu klein: %1 werden gebraucht, dazu etwa %2 für CUDA selbst. Eine kürzere Sequenz, ein kleinerer Micro-Batch oder der Vorwärtslauf allein braucht weniger.</translation>
    </message>
</context>
<context>
    <name>ulp::views::StudyForm</name>
    <message>
        <source>Settings of the study</source>
        <translation>Einstellungen der Studie</translation>
    </message>
    <message>
        <source>Back to the default of %1</source>
        <translation>Zurück zur Vorgabe %1</translation>
    </message>
</context>
<context>
    <name>ulp::views::StudyGuard</name>
    <message>
        <source>a study that was never saved</source>
        <translation>eine nie gespeicherte Studie</translation>
    </message>
    <message>
        <source>Ulpscope ended before the edits of %1 were saved.</source>
        <translation>Ulpscope endete, bevor die Änderungen an %1 gespeichert waren.</translation>
    </message>
    <message>
        <source>Recover the edits</source>
        <translation>Wiederherstellen</translation>
    </message>
    <message>
        <source>Discard them</source>
        <translation>Verwerfen</translation>
    </message>
    <message>
        <source>loading of the changed file</source>
        <translation>Laden der geänderten Datei</translation>
    </message>
    <message>
        <source>%1 was changed by another program, and here as well. Loading can be undone; keeping lets the next save replace the file.</source>
        <translation>%1 wurde von einem anderen Programm geändert, und hier auch. Laden lässt sich rückgängig machen; behalten heißt, dass das nächste Speichern die Datei ersetzt.</translation>
    </message>
    <message>
        <source>%1 was changed by another program. Loading can be undone; keeping lets the next save replace the file.</source>
        <translation>%1 wurde von einem anderen Programm geändert. Laden lässt sich rückgängig machen; behalten heißt, dass das nächste Speichern die Datei ersetzt.</translation>
    </message>
    <message>
        <source>Load the file</source>
        <translation>Datei laden</translation>
    </message>
    <message>
        <source>Keep what is here</source>
        <translation>Eigenen Stand behalten</translation>
    </message>
</context>
<context>
    <name>ulp::views::StudyKeys</name>
    <message>
        <source>Path</source>
        <translation>Pfad</translation>
    </message>
    <message>
        <source>Weights</source>
        <translation>Gewichte</translation>
    </message>
    <message>
        <source>Seed</source>
        <translation>Seed</translation>
    </message>
    <message>
        <source>Architecture</source>
        <translation>Architektur</translation>
    </message>
    <message>
        <source>Source</source>
        <translation>Quelle</translation>
    </message>
    <message>
        <source>Sequence length</source>
        <translation>Sequenzlänge</translation>
    </message>
    <message>
        <source>Micro batch size</source>
        <translation>Micro-Batch-Größe</translation>
    </message>
    <message>
        <source>Sequences</source>
        <translation>Sequenzen</translation>
    </message>
    <message>
        <source>Field</source>
        <translation>Feld</translation>
    </message>
    <message>
        <source>Chat template</source>
        <translation>Chat-Vorlage</translation>
    </message>
    <message>
        <source>Tokenizer</source>
        <translation>Tokenizer</translation>
    </message>
    <message>
        <source>Documents</source>
        <translation>Dokumente</translation>
    </message>
    <message>
        <source>Padding</source>
        <translation>Padding</translation>
    </message>
    <message>
        <source>Unlabelled</source>
        <translation>Ohne Label</translation>
    </message>
    <message>
        <source>Micro batches</source>
        <translation>Micro-Batches</translation>
    </message>
    <message>
        <source>Docs per step</source>
        <translation>Dokumente je Schritt</translation>
    </message>
    <message>
        <source>Noise floor</source>
        <translation>Grundrauschen</translation>
    </message>
    <message>
        <source>Type</source>
        <translation>Typ</translation>
    </message>
    <message>
        <source>Terms</source>
        <translation>Terme</translation>
    </message>
    <message>
        <source>Epsilon low</source>
        <translation>Epsilon unten</translation>
    </message>
    <message>
        <source>Epsilon high</source>
        <translation>Epsilon oben</translation>
    </message>
    <message>
        <source>Logits scale</source>
        <translation>Logit-Skalierung</translation>
    </message>
    <message>
        <source>Advantages</source>
        <translation>Advantages</translation>
    </message>
    <message>
        <source>Old log probabilities</source>
        <translation>Alte Log-Wahrscheinlichkeiten</translation>
    </message>
    <message>
        <source>Old noise</source>
        <translation>Altes Rauschen</translation>
    </message>
    <message>
        <source>Learning rate</source>
        <translation>Lernrate</translation>
    </message>
    <message>
        <source>Beta1</source>
        <translation>Beta1</translation>
    </message>
    <message>
        <source>Beta2</source>
        <translation>Beta2</translation>
    </message>
    <message>
        <source>Epsilon</source>
        <translation>Epsilon</translation>
    </message>
    <message>
        <source>Weight decay</source>
        <translation>Weight Decay</translation>
    </message>
    <message>
        <source>Momentum</source>
        <translation>Momentum</translation>
    </message>
    <message>
        <source>Compute dtype</source>
        <translation>Rechen-dtype</translation>
    </message>
    <message>
        <source>Weights dtype</source>
        <translation>dtype der Gewichte</translation>
    </message>
    <message>
        <source>Residual dtype</source>
        <translation>dtype des Residualstroms</translation>
    </message>
    <message>
        <source>LM head dtype</source>
        <translation>dtype des LM-Heads</translation>
    </message>
    <message>
        <source>Logits dtype</source>
        <translation>dtype der Logits</translation>
    </message>
    <message>
        <source>Loss dtype</source>
        <translation>dtype des Loss</translation>
    </message>
    <message>
        <source>Gradient dtype</source>
        <translation>dtype der Gradienten</translation>
    </message>
    <message>
        <source>Optimizer dtype</source>
        <translation>dtype des Optimizers</translation>
    </message>
    <message>
        <source>Norm statistics dtype</source>
        <translation>dtype der Norm-Statistik</translation>
    </message>
    <message>
        <source>Norm output dtype</source>
        <translation>dtype der Norm-Ausgabe</translation>
    </message>
    <message>
        <source>Rotary table dtype</source>
        <translation>dtype der Rotary-Tabelle</translation>
    </message>
    <message>
        <source>Rotary dtype</source>
        <translation>dtype von Rotary</translation>
    </message>
    <message>
        <source>Attention scores dtype</source>
        <translation>dtype der Attention-Scores</translation>
    </message>
    <message>
        <source>Softmax dtype</source>
        <translation>dtype der Softmax</translation>
    </message>
    <message>
        <source>Activation dtype</source>
        <translation>dtype der Aktivierung</translation>
    </message>
    <message>
        <source>Rounding</source>
        <translation>Rundung</translation>
    </message>
    <message>
        <source>Rounding seed</source>
        <translation>Rundungs-Seed</translation>
    </message>
    <message>
        <source>Overflow</source>
        <translation>Überlauf</translation>
    </message>
    <message>
        <source>Rules</source>
        <translation>Regeln</translation>
    </message>
    <message>
        <source>Cast</source>
        <translation>Cast</translation>
    </message>
    <message>
        <source>Semantics</source>
        <translation>Semantik</translation>
    </message>
    <message>
        <source>Norm implementation</source>
        <translation>Norm-Implementierung</translation>
    </message>
    <message>
        <source>Rotary implementation</source>
        <translation>Rotary-Implementierung</translation>
    </message>
    <message>
        <source>MLP implementation</source>
        <translation>MLP-Implementierung</translation>
    </message>
    <message>
        <source>Attention implementation</source>
        <translation>Attention-Implementierung</translation>
    </message>
    <message>
        <source>Matmul float32 precision</source>
        <translation>Matmul: float32-Präzision</translation>
    </message>
    <message>
        <source>Matmul reduced precision reduction</source>
        <translation>Matmul: Reduktion mit red. Präzision</translation>
    </message>
    <message>
        <source>Matmul split k</source>
        <translation>Matmul: Split-K</translation>
    </message>
    <message>
        <source>Matmul float16 accumulation</source>
        <translation>Matmul: float16-Akkumulation</translation>
    </message>
    <message>
        <source>Matmul library</source>
        <translation>Matmul: Bibliothek</translation>
    </message>
    <message>
        <source>Attention reduced precision reduction</source>
        <translation>Attention: Reduktion mit red. Präzision</translation>
    </message>
    <message>
        <source>Gradient scale</source>
        <translation>Gradientenskalierung</translation>
    </message>
    <message>
        <source>Threads</source>
        <translation>Threads</translation>
    </message>
    <message>
        <source>Deterministic</source>
        <translation>Deterministisch</translation>
    </message>
    <message>
        <source>Level</source>
        <translation>Stufe</translation>
    </message>
    <message>
        <source>Tensors</source>
        <translation>Tensoren</translation>
    </message>
    <message>
        <source>Backward</source>
        <translation>Rückwärts</translation>
    </message>
    <message>
        <source>Parameter gradients</source>
        <translation>Parametergradienten</translation>
    </message>
    <message>
        <source>Kernels</source>
        <translation>Kernel</translation>
    </message>
    <message>
        <source>Include</source>
        <translation>Einschließen</translation>
    </message>
    <message>
        <source>Exclude</source>
        <translation>Ausschließen</translation>
    </message>
    <message>
        <source>Device</source>
        <translation>Gerät</translation>
    </message>
    <message>
        <source>Output dir</source>
        <translation>Ausgabeordner</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>Modell</translation>
    </message>
    <message>
        <source>Input</source>
        <translation>Eingabe</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>Schritt</translation>
    </message>
    <message>
        <source>Loss</source>
        <translation>Loss</translation>
    </message>
    <message>
        <source>Optimizer</source>
        <translation>Optimizer</translation>
    </message>
    <message>
        <source>Precision of all variants</source>
        <translation>Präzision aller Varianten</translation>
    </message>
    <message>
        <source>Kernels of all variants</source>
        <translation>Kernel aller Varianten</translation>
    </message>
    <message>
        <source>Arithmetic of all variants</source>
        <translation>Arithmetik aller Varianten</translation>
    </message>
    <message>
        <source>Capture</source>
        <translation>Aufzeichnung</translation>
    </message>
    <message>
        <source>Device and output</source>
        <translation>Gerät und Ausgabe</translation>
    </message>
    <message>
        <source>What a variant does not override; see Variants.</source>
        <translation>Was eine Variante nicht überschreibt; siehe Varianten.</translation>
    </message>
    <message>
        <source>Among</source>
        <translation>Unter</translation>
    </message>
    <message>
        <source>Place</source>
        <translation>Platz</translation>
    </message>
    <message>
        <source>Padding side</source>
        <translation>Padding-Seite</translation>
    </message>
    <message>
        <source>Chunk length</source>
        <translation>Stücklänge</translation>
    </message>
    <message>
        <source>Batch of all variants</source>
        <translation>Batch aller Varianten</translation>
    </message>
    <message>
        <source>Factory</source>
        <translation>Fabrikfunktion</translation>
    </message>
    <message>
        <source>Executable</source>
        <translation>Programm</translation>
    </message>
    <message>
        <source>Trust code</source>
        <translation>Code vertrauen</translation>
    </message>
    <message>
        <source>Autocast</source>
        <translation>Autocast</translation>
    </message>
    <message>
        <source>Prepare</source>
        <translation>Vorbereiten</translation>
    </message>
    <message>
        <source>Engine</source>
        <translation>Engine</translation>
    </message>
    <message>
        <source>Generate</source>
        <translation>Erzeugen</translation>
    </message>
    <message>
        <source>Generated</source>
        <translation>Erzeugtes</translation>
    </message>
    <message>
        <source>Cache dtype</source>
        <translation>Format des Caches</translation>
    </message>
    <message>
        <source>Compile</source>
        <translation>Kompilieren</translation>
    </message>
    <message>
        <source>Compile mode</source>
        <translation>Modus des Kompilierens</translation>
    </message>
    <message>
        <source>Compile backend</source>
        <translation>Backend des Kompilierens</translation>
    </message>
    <message>
        <source>Quantization</source>
        <translation>Quantisierung</translation>
    </message>
    <message>
        <source>Device map</source>
        <translation>Verteilung auf Geräte</translation>
    </message>
    <message>
        <source>Cache</source>
        <translation>Cache</translation>
    </message>
    <message>
        <source>Matmul float8</source>
        <translation>Matmul: float8</translation>
    </message>
    <message>
        <source>Matmul float8 kernel</source>
        <translation>Matmul: Kernel für float8</translation>
    </message>
    <message>
        <source>Matmul float8 gradient</source>
        <translation>Matmul: Gradient in float8</translation>
    </message>
    <message>
        <source>Matmul float8 power of two scales</source>
        <translation>Matmul: Zweierpotenzen als float8-Skalen</translation>
    </message>
    <message>
        <source>Matmul float8 fast accumulation</source>
        <translation>Matmul: schnelles Aufsummieren in float8</translation>
    </message>
    <message>
        <source>Matmul float8 modules</source>
        <translation>Matmul: Module in float8</translation>
    </message>
    <message>
        <source>Ranks</source>
        <translation>Ränge</translation>
    </message>
    <message>
        <source>Parallel</source>
        <translation>Aufteilung</translation>
    </message>
    <message>
        <source>Reduce</source>
        <translation>Summen der Ränge</translation>
    </message>
    <message>
        <source>Launcher</source>
        <translation>Startprogramm</translation>
    </message>
    <message>
        <source>Attention order</source>
        <translation>Reihenfolge der Attention-Kernel</translation>
    </message>
</context>
<context>
    <name>ulp::views::StudyTables</name>
    <message>
        <source>Line</source>
        <translation>Zeile</translation>
    </message>
    <message>
        <source>Problem</source>
        <translation>Problem</translation>
    </message>
    <message>
        <source>Effective configuration</source>
        <translation>Effektive Konfiguration</translation>
    </message>
    <message>
        <source>Key</source>
        <translation>Schlüssel</translation>
    </message>
    <message>
        <source>value</source>
        <translation>Wert</translation>
    </message>
    <message>
        <source>set by</source>
        <translation>gesetzt von</translation>
    </message>
    <message>
        <source>the reference</source>
        <translation>die Referenz</translation>
    </message>
    <message>
        <source>variant %1</source>
        <translation>Variante %1</translation>
    </message>
    <message>
        <source>change of %1</source>
        <translation>Änderung von %1</translation>
    </message>
    <message>
        <source>%1 Problems: %2</source>
        <translation>%1 Probleme: %2</translation>
    </message>
    <message>
        <source>Variants: %1</source>
        <translation>Varianten: %1</translation>
    </message>
    <message>
        <source>Ready to run: the reference alone</source>
        <translation>Startbereit: nur die Referenz</translation>
    </message>
    <message>
        <source>Ready to run: the reference and one variant</source>
        <translation>Startbereit: die Referenz und eine Variante</translation>
    </message>
    <message>
        <source>Ready to run: the reference and %1 variants</source>
        <translation>Startbereit: die Referenz und %1 Varianten</translation>
    </message>
    <message>
        <source>%1 Cannot run yet: %2</source>
        <translation>%1 Noch nicht startbereit: %2</translation>
    </message>
    <message>
        <source>No estimate: %1</source>
        <translation>Keine Schätzung: %1</translation>
    </message>
</context>
<context>
    <name>ulp::views::StudyView</name>
    <message>
        <source>Run</source>
        <translation>Ausführen</translation>
    </message>
    <message>
        <source>Edit a copy</source>
        <translation>Kopie bearbeiten</translation>
    </message>
    <message>
        <source>Problems</source>
        <translation>Probleme</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>Speichern</translation>
    </message>
    <message>
        <source>Save the study</source>
        <translation>Studie speichern</translation>
    </message>
    <message>
        <source>Settings, variants, effective configuration</source>
        <translation>Einstellungen, Varianten, effektive Konfiguration</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>Einstellungen</translation>
    </message>
    <message>
        <source>Variants</source>
        <translation>Varianten</translation>
    </message>
    <message>
        <source>Effective</source>
        <translation>Effektiv</translation>
    </message>
    <message>
        <source>Save and run the study</source>
        <translation>Studie speichern und ausführen</translation>
    </message>
    <message>
        <source>Make a new study of this text</source>
        <translation>Aus diesem Text eine neue Studie anlegen</translation>
    </message>
    <message>
        <source>renaming of variant %1</source>
        <translation>Umbenennen von Variante %1</translation>
    </message>
    <message>
        <source>deletion of variant %1</source>
        <translation>Löschen von Variante %1</translation>
    </message>
    <message>
        <source>move of variant %1</source>
        <translation>Verschieben von Variante %1</translation>
    </message>
    <message>
        <source>No study is open</source>
        <translation>Keine Studie geöffnet</translation>
    </message>
    <message>
        <source>A study says which model runs on which input, and in which precisions.</source>
        <translation>Eine Studie sagt, welches Modell auf welcher Eingabe läuft und mit welchen Präzisionen.</translation>
    </message>
    <message>
        <source>New study</source>
        <translation>Neue Studie</translation>
    </message>
    <message>
        <source>The study of this report, as it was run</source>
        <translation>Die Studie dieses Berichts, wie sie lief</translation>
    </message>
    <message>
        <source>New study, not saved yet</source>
        <translation>Neue Studie, noch nicht gespeichert</translation>
    </message>
    <message>
        <source>%1, edited</source>
        <translation>%1, geändert</translation>
    </message>
    <message>
        <source>Results go to %1</source>
        <translation>Ergebnisse nach %1</translation>
    </message>
    <message>
        <source>variant</source>
        <translation>variante</translation>
    </message>
    <message>
        <source>addition of variant %1</source>
        <translation>Hinzufügen von Variante %1</translation>
    </message>
    <message>
        <source>%1_copy</source>
        <translation>%1_kopie</translation>
    </message>
    <message>
        <source>duplication of variant %1</source>
        <translation>Duplizieren von Variante %1</translation>
    </message>
    <message>
        <source>addition of %1 variants</source>
        <translation>Hinzufügen von %1 Varianten</translation>
    </message>
    <message>
        <source>The study was changed while the variants were made; nothing was added. Make them again.</source>
        <translation>Die Studie wurde geändert, während die Varianten entstanden; nichts wurde hinzugefügt. Varianten erneut anlegen.</translation>
    </message>
    <message>
        <source>Effective configuration</source>
        <translation>Effektive Konfiguration</translation>
    </message>
    <message>
        <source>Study</source>
        <translation>Studie</translation>
    </message>
    <message>
        <source>Model, input and variants, as a form and as YAML</source>
        <translation>Modell, Eingabe und Varianten, als Formular und als YAML</translation>
    </message>
    <message>
        <source>The study stays as it is: %1.</source>
        <translation>Die Studie bleibt, wie sie ist: %1.</translation>
    </message>
</context>
<context>
    <name>ulp::views::SummaryTitle</name>
    <message>
        <source>mid median</source>
        <translation>Mitte Median</translation>
    </message>
    <message>
        <source>mid max</source>
        <translation>Mitte Max.</translation>
    </message>
    <message>
        <source>linear median</source>
        <translation>Linear Median</translation>
    </message>
    <message>
        <source>linear max</source>
        <translation>Linear Max.</translation>
    </message>
    <message>
        <source>norm median</source>
        <translation>Norm Median</translation>
    </message>
    <message>
        <source>norm max</source>
        <translation>Norm Max.</translation>
    </message>
    <message>
        <source>bias median</source>
        <translation>Bias Median</translation>
    </message>
    <message>
        <source>bias max</source>
        <translation>Bias Max.</translation>
    </message>
    <message>
        <source>state median</source>
        <translation>Zustand Median</translation>
    </message>
    <message>
        <source>state max</source>
        <translation>Zustand Max.</translation>
    </message>
    <message>
        <source>update median</source>
        <translation>Änderung Median</translation>
    </message>
    <message>
        <source>update max</source>
        <translation>Änderung Max.</translation>
    </message>
</context>
<context>
    <name>ulp::views::TableClipboard</name>
    <message>
        <source>Copy</source>
        <translation>Kopieren</translation>
    </message>
    <message>
        <source>Copy cell</source>
        <translation>Zelle kopieren</translation>
    </message>
</context>
<context>
    <name>ulp::views::TableFilter</name>
    <message>
        <source>no value is called “%1”; there are %2</source>
        <translation>kein Wert heißt „%1“; es gibt %2</translation>
    </message>
    <message>
        <source>“%1” is no number, with which %2 could be compared</source>
        <translation>„%1“ ist keine Zahl, mit der sich %2 vergleichen ließe</translation>
    </message>
</context>
<context>
    <name>ulp::views::TableView</name>
    <message>
        <source>All tensors</source>
        <translation>Alle Tensoren</translation>
    </message>
    <message>
        <source>Filter tensors</source>
        <translation>Tensoren filtern</translation>
    </message>
    <message>
        <source>Words of the name or module; variant:fp16, pass:backward, format:bf, kernel:gemm, rules:fail; values in the unit of their column: rms_rel &gt; 5, nan&gt;0, layer &lt;= 3</source>
        <translation>Wörter aus Name oder Modul; variant:fp16, pass:backward, format:bf, kernel:gemm, rules:fail; Werte in der Einheit ihrer Spalte: rms_rel &gt; 5, nan&gt;0, layer &lt;= 3</translation>
    </message>
    <message>
        <source>Regular expression</source>
        <translation>Regulärer Ausdruck</translation>
    </message>
    <message>
        <source>Current variant</source>
        <translation>Aktuelle Variante</translation>
    </message>
    <message>
        <source>All variants</source>
        <translation>Alle Varianten</translation>
    </message>
    <message>
        <source>Variants in the table</source>
        <translation>Varianten in der Tabelle</translation>
    </message>
    <message>
        <source>Use as regular expression</source>
        <translation>Als regulären Ausdruck verwenden</translation>
    </message>
    <message>
        <source>Open the tensor</source>
        <translation>Tensor öffnen</translation>
    </message>
    <message>
        <source>Copy name</source>
        <translation>Name kopieren</translation>
    </message>
    <message>
        <source>Columns</source>
        <translation>Spalten</translation>
    </message>
    <message>
        <source>Here every tensor has a row with all its metrics, to filter, sort and copy.</source>
        <translation>Hier hat jeder Tensor eine Zeile mit allen Metriken, zum Filtern, Sortieren und Kopieren.</translation>
    </message>
    <message>
        <source>the tensors that the filter “%1” left out</source>
        <translation>die vom Filter „%1“ ausgelassenen Tensoren</translation>
    </message>
    <message>
        <source>“%1” is no regular expression: %2</source>
        <translation>„%1“ ist kein regulärer Ausdruck: %2</translation>
    </message>
    <message>
        <source>No tensor has “%1” in its name, letter by letter.</source>
        <translation>Kein Tensor hat „%1“ buchstäblich im Namen.</translation>
    </message>
    <message>
        <source>the expression takes too long</source>
        <translation>der Ausdruck braucht zu lange</translation>
    </message>
    <message>
        <source>not a valid expression</source>
        <translation>kein gültiger Ausdruck</translation>
    </message>
    <message>
        <source>not understood</source>
        <translation>nicht verstanden</translation>
    </message>
    <message>
        <source>%1 tensors</source>
        <translation>%1 Tensoren</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 von %2</translation>
    </message>
    <message>
        <source>Tensors of all variants</source>
        <translation>Tensoren aller Varianten</translation>
    </message>
    <message>
        <source>Tensors of %1</source>
        <translation>Tensoren von %1</translation>
    </message>
    <message>
        <source>Table</source>
        <translation>Tabelle</translation>
    </message>
    <message>
        <source>Every tensor with every metric</source>
        <translation>Jeder Tensor mit jeder Metrik</translation>
    </message>
</context>
<context>
    <name>ulp::views::Tensor</name>
    <message>
        <source>%1 not finite in %2</source>
        <translation>%1 nicht endlich in %2</translation>
    </message>
    <message>
        <source>holds all of B</source>
        <translation>fasst ganz B</translation>
    </message>
    <message>
        <source>overflow %1</source>
        <translation>Überlauf %1</translation>
    </message>
    <message>
        <source>underflow %1</source>
        <translation>Unterlauf %1</translation>
    </message>
    <message>
        <source>Values of A, B and B − A</source>
        <translation>Werte von A, B und B − A</translation>
    </message>
    <message>
        <source>value, logarithmic on both sides of zero</source>
        <translation>Wert, logarithmisch auf beiden Seiten der Null</translation>
    </message>
    <message>
        <source>No element is finite.</source>
        <translation>Kein Element ist endlich.</translation>
    </message>
    <message>
        <source>Exponents of A and B, and what formats hold</source>
        <translation>Exponenten von A und B und was Formate fassen</translation>
    </message>
    <message>
        <source>exponent: 2^e ≤ |value| &lt; 2^(e + 1)</source>
        <translation>Exponent: 2^e ≤ |Wert| &lt; 2^(e + 1)</translation>
    </message>
    <message>
        <source>No element is finite and other than zero.</source>
        <translation>Kein Element ist endlich und ungleich null.</translation>
    </message>
    <message>
        <source>B, %1, against A, %2</source>
        <translation>B, %1, gegen A, %2</translation>
    </message>
    <message>
        <source>A; linear near zero, logarithmic beyond</source>
        <translation>A; nahe null linear, darüber hinaus logarithmisch</translation>
    </message>
    <message>
        <source>No element is finite in both tensors.</source>
        <translation>Kein Element ist in beiden Tensoren endlich.</translation>
    </message>
    <message>
        <source>%1 not finite</source>
        <translation>%1 nicht endlich</translation>
    </message>
    <message>
        <source>Point at an element, or select one, to see its row and column.</source>
        <translation>Auf ein Element zeigen oder eines wählen, um seine Zeile und Spalte zu sehen.</translation>
    </message>
    <message>
        <source>There is a single element along this direction.</source>
        <translation>In dieser Richtung gibt es nur ein Element.</translation>
    </message>
    <message>
        <source>Element</source>
        <translation>Element</translation>
    </message>
    <message>
        <source>Enter or a double click shows it in the picture</source>
        <translation>Eingabetaste oder Doppelklick zeigt es im Bild</translation>
    </message>
    <message>
        <source>%1: %2 NaN, %3 +Inf, %4 −Inf</source>
        <translation>%1: %2 NaN, %3 +Inf, %4 −Inf</translation>
    </message>
    <message>
        <source>Relative</source>
        <translation>Relativ</translation>
    </message>
    <message>
        <source>B − A, %1 minus %2</source>
        <translation>B − A, %1 minus %2</translation>
    </message>
    <message>
        <source>|B − A|, absolute difference of %1</source>
        <translation>|B − A|, absolute Differenz von %1</translation>
    </message>
    <message>
        <source>|B − A| / |A|, relative difference of %1</source>
        <translation>|B − A| / |A|, relative Differenz von %1</translation>
    </message>
    <message>
        <source>|B − A| in ULP of %1, %2</source>
        <translation>|B − A| in ULP von %1, %2</translation>
    </message>
    <message>
        <source>dim %1</source>
        <translation>Dim %1</translation>
    </message>
    <message>
        <source>batch</source>
        <translation>Batch</translation>
    </message>
    <message>
        <source>token</source>
        <translation>Token</translation>
    </message>
    <message>
        <source>channel</source>
        <translation>Kanal</translation>
    </message>
    <message>
        <source>head</source>
        <translation>Head</translation>
    </message>
    <message>
        <source>query</source>
        <translation>Query</translation>
    </message>
    <message>
        <source>key</source>
        <translation>Key</translation>
    </message>
    <message>
        <source>vocabulary</source>
        <translation>Vokabular</translation>
    </message>
    <message>
        <source>output</source>
        <translation>Ausgabe</translation>
    </message>
    <message>
        <source>input</source>
        <translation>Eingabe</translation>
    </message>
    <message>
        <source>sample</source>
        <translation>Stichprobe</translation>
    </message>
    <message>
        <source>scalar</source>
        <translation>Skalar</translation>
    </message>
    <message>
        <source>reading was stopped</source>
        <translation>Lesen wurde gestoppt</translation>
    </message>
    <message>
        <source>reading every element</source>
        <translation>jedes Element wird gelesen</translation>
    </message>
    <message>
        <source>max |B − A| at least %1</source>
        <translation>max |B − A| mindestens %1</translation>
    </message>
    <message>
        <source>max |B − A| %1</source>
        <translation>max |B − A| %1</translation>
    </message>
    <message>
        <source>RMS of the sample %1</source>
        <translation>RMS der Stichprobe %1</translation>
    </message>
    <message>
        <source>RMS %1</source>
        <translation>RMS %1</translation>
    </message>
    <message>
        <source>equal %1 %</source>
        <translation>gleich %1 %</translation>
    </message>
    <message>
        <source>every element is finite</source>
        <translation>alle Elemente sind endlich</translation>
    </message>
    <message>
        <source>%1 NaN, %2 +Inf, %3 −Inf</source>
        <translation>%1 NaN, %2 +Inf, %3 −Inf</translation>
    </message>
    <message>
        <source>on another machine: what is seen of it is fetched</source>
        <translation>auf einem anderen Rechner: geholt wird, was davon zu sehen ist</translation>
    </message>
</context>
<context>
    <name>ulp::views::TensorInspector</name>
    <message>
        <source>Every element is being read. This appears when it is done.</source>
        <translation>Jedes Element wird gelesen. Danach erscheint dies hier.</translation>
    </message>
    <message>
        <source>Elements of largest difference</source>
        <translation>Elemente größter Differenz</translation>
    </message>
    <message>
        <source>Histograms of A, B and B − A</source>
        <translation>Histogramme von A, B und B − A</translation>
    </message>
    <message>
        <source>Density of B against A</source>
        <translation>Dichte von B gegen A</translation>
    </message>
    <message>
        <source>Histogram of exponents</source>
        <translation>Histogramm der Exponenten</translation>
    </message>
    <message>
        <source>Profile along the row</source>
        <translation>Profil entlang der Zeile</translation>
    </message>
    <message>
        <source>Profile along the column</source>
        <translation>Profil entlang der Spalte</translation>
    </message>
    <message>
        <source>Analyses of the tensor</source>
        <translation>Auswertungen des Tensors</translation>
    </message>
    <message>
        <source>Worst</source>
        <translation>Schlechteste</translation>
    </message>
    <message>
        <source>Values</source>
        <translation>Werte</translation>
    </message>
    <message>
        <source>Exponents</source>
        <translation>Exponenten</translation>
    </message>
    <message>
        <source>B over A</source>
        <translation>B über A</translation>
    </message>
    <message>
        <source>Profiles</source>
        <translation>Profile</translation>
    </message>
    <message numerus="yes">
        <source>The %n worst of the report, until every element is read</source>
        <translation>
            <numerusform>%n schlechtestes Element im Bericht, bis jedes Element gelesen ist</numerusform>
            <numerusform>Die %n schlechtesten im Bericht, bis jedes Element gelesen ist</numerusform>
        </translation>
    </message>
    <message>
        <source>Every element is being read.</source>
        <translation>Jedes Element wird gelesen.</translation>
    </message>
    <message>
        <source>No element that is finite in both differs.</source>
        <translation>Kein in beiden endliches Element weicht ab.</translation>
    </message>
    <message numerus="yes">
        <source>The %n worst of all elements</source>
        <translation>
            <numerusform>%n schlechtestes aller Elemente</numerusform>
            <numerusform>Die %n schlechtesten aller Elemente</numerusform>
        </translation>
    </message>
    <message>
        <source>Values of A, B and B − A</source>
        <translation>Werte von A, B und B − A</translation>
    </message>
    <message>
        <source>Exponents of A and B</source>
        <translation>Exponenten von A und B</translation>
    </message>
    <message>
        <source>B against A</source>
        <translation>B gegen A</translation>
    </message>
    <message>
        <source>A near %1, B near %2: %3 elements</source>
        <translation>A nahe %1, B nahe %2: %3 Elemente</translation>
    </message>
    <message>
        <source>Element</source>
        <translation>Element</translation>
    </message>
    <message>
        <source>What narrower formats would lose</source>
        <translation>Was schmalere Formate verlören</translation>
    </message>
    <message>
        <source>%1 not finite</source>
        <translation>%1 nicht endlich</translation>
    </message>
    <message>
        <source>Exponents, and what formats hold</source>
        <translation>Exponenten, und was Formate fassen</translation>
    </message>
</context>
<context>
    <name>ulp::views::TensorPairSource</name>
    <message>
        <source>The tensors of this report are gone</source>
        <translation>Die Tensoren dieses Berichts sind weg</translation>
    </message>
    <message>
        <source>%1
The study kept them. Put tensors.h5 and the folder tensors back beside the report, or run the study again.</source>
        <translation>%1
Die Studie hat sie aufbewahrt. tensors.h5 und den Ordner tensors wieder neben den Bericht legen oder die Studie erneut ausführen.</translation>
    </message>
    <message>
        <source>This report kept no tensors</source>
        <translation>Dieser Bericht hat keine Tensoren aufbewahrt</translation>
    </message>
    <message>
        <source>The tensors themselves are shown here when a study keeps them: set “capture.tensors: full” in the study and run it again.</source>
        <translation>Die Tensoren selbst erscheinen hier, wenn eine Studie sie aufbewahrt: darin „capture.tensors: full“ setzen und sie erneut ausführen.</translation>
    </message>
    <message>
        <source>The file of captured tensors cannot be read</source>
        <translation>Die Datei der aufgezeichneten Tensoren ist nicht lesbar</translation>
    </message>
    <message>
        <source>%1
Run the study again to write it anew.</source>
        <translation>%1
Die Studie erneut ausführen, um sie neu zu schreiben.</translation>
    </message>
    <message>
        <source>%1 (%2) was not kept for “%3”</source>
        <translation>%1 (%2) wurde für „%3“ nicht aufbewahrt</translation>
    </message>
    <message>
        <source>The study keeps other tensors: see capture.level, capture.include and capture.exclude in it.</source>
        <translation>Die Studie bewahrt andere Tensoren auf: siehe darin capture.level, capture.include und capture.exclude.</translation>
    </message>
    <message>
        <source>“%1” has no tensors yet</source>
        <translation>„%1“ hat noch keine Tensoren</translation>
    </message>
    <message>
        <source>They can be shown once the run has finished.</source>
        <translation>Sie lassen sich zeigen, sobald der Lauf fertig ist.</translation>
    </message>
    <message>
        <source>The tensors of “%1” cannot be read</source>
        <translation>Die Tensoren von „%1“ sind nicht lesbar</translation>
    </message>
    <message>
        <source>The tensor cannot be read</source>
        <translation>Der Tensor ist nicht lesbar</translation>
    </message>
    <message>
        <source>The tensor has no elements</source>
        <translation>Der Tensor hat keine Elemente</translation>
    </message>
    <message>
        <source>Its shape is %1.</source>
        <translation>Seine Form ist %1.</translation>
    </message>
    <message>
        <source>The two tensors differ in shape</source>
        <translation>Die beiden Tensoren haben verschiedene Form</translation>
    </message>
    <message>
        <source>%1 has %2, %3 has %4, so that elements cannot be paired.</source>
        <translation>%1 hat %2, %3 hat %4; Elemente lassen sich nicht paaren.</translation>
    </message>
    <message>
        <source>The two tensors cannot be compared</source>
        <translation>Die beiden Tensoren sind nicht vergleichbar</translation>
    </message>
    <message>
        <source>No tensor is selected</source>
        <translation>Kein Tensor gewählt</translation>
    </message>
    <message>
        <source>Click a cell of the overview, a point of a chart, or a row of the table.</source>
        <translation>Eine Zelle der Übersicht, einen Punkt eines Diagramms oder eine Zeile der Tabelle anklicken.</translation>
    </message>
    <message>
        <source>The report has no such tensor</source>
        <translation>Der Bericht enthält diesen Tensor nicht</translation>
    </message>
    <message>
        <source>Choose another one in the overview, a chart or the table.</source>
        <translation>Einen anderen in der Übersicht, einem Diagramm oder der Tabelle wählen.</translation>
    </message>
</context>
<context>
    <name>ulp::views::TensorPanes</name>
    <message>
        <source> – being read</source>
        <translation> – wird gelesen</translation>
    </message>
    <message>
        <source> – preview, one element of each cell</source>
        <translation> – Vorschau, ein Element je Zelle</translation>
    </message>
    <message>
        <source>mean</source>
        <translation>Mittel</translation>
    </message>
    <message>
        <source>largest magnitude</source>
        <translation>größter Betrag</translation>
    </message>
    <message>
        <source> – %1 of %2 × %3 elements a cell</source>
        <translation> – %1 von %2 × %3 Elementen je Zelle</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>Wert</translation>
    </message>
    <message>
        <source>on another machine; click to fetch it</source>
        <translation>auf einem anderen Rechner; ein Klick holt ihn</translation>
    </message>
</context>
<context>
    <name>ulp::views::TensorTable</name>
    <message>
        <source>Half of the 95 % interval of the mean over the samples (Student&apos;s t), of the metric that charts show</source>
        <translation>Halbes 95-%-Intervall des Mittels über die Stichproben (Student-t), für die Metrik der Diagramme</translation>
    </message>
    <message>
        <source>%1 noise floor</source>
        <translation>Grundrauschen %1</translation>
    </message>
    <message>
        <source>How far the reference is from itself, in the metric that charts show: what is no worse need not be an effect of the variant</source>
        <translation>Wie weit die Referenz von sich selbst abweicht, in der Metrik der Diagramme: was nicht schlechter ist, muss keine Wirkung der Variante sein</translation>
    </message>
    <message>
        <source>Gain error</source>
        <translation>Verstärkungsfehler</translation>
    </message>
    <message>
        <source>How much larger (+) or smaller (−) the tensor is than that of %1, along it; mean over the samples</source>
        <translation>Um wie viel der Tensor größer (+) oder kleiner (−) ist als der von %1, in dessen Richtung; Mittel über die Stichproben</translation>
    </message>
    <message>
        <source>Gain error ±</source>
        <translation>Verstärkungsfehler ±</translation>
    </message>
    <message>
        <source>Half of the 95 % interval of the gain error</source>
        <translation>Halbes 95-%-Intervall des Verstärkungsfehlers</translation>
    </message>
    <message>
        <source>Systematic</source>
        <translation>Systematisch</translation>
    </message>
    <message>
        <source>Whether the 95 % interval of the gain error excludes 0: the error has a direction</source>
        <translation>Ob das 95-%-Intervall des Verstärkungsfehlers 0 ausschließt: Der Fehler hat eine Richtung</translation>
    </message>
    <message>
        <source>Flipped tokens</source>
        <translation>Gekippte Token</translation>
    </message>
    <message>
        <source>Tokens for which the router, that of the block or those of the layer choose other experts than in %1</source>
        <translation>Token, für die der Router, der des Blocks oder die der Schicht andere Experten wählen als in %1</translation>
    </message>
</context>
<context>
    <name>ulp::views::TensorTableModel</name>
    <message>
        <source>variant</source>
        <translation>Variante</translation>
    </message>
    <message>
        <source>Tensor</source>
        <translation>Tensor</translation>
    </message>
    <message>
        <source>Pass</source>
        <translation>Durchlauf</translation>
    </message>
    <message>
        <source>Layer</source>
        <translation>Schicht</translation>
    </message>
    <message>
        <source>Variant</source>
        <translation>Variante</translation>
    </message>
    <message>
        <source>Shape</source>
        <translation>Form</translation>
    </message>
    <message>
        <source>Format</source>
        <translation>Format</translation>
    </message>
    <message>
        <source>Not finite</source>
        <translation>Nicht endlich</translation>
    </message>
    <message>
        <source>Rules</source>
        <translation>Regeln</translation>
    </message>
    <message>
        <source>systematic</source>
        <translation>systematisch</translation>
    </message>
</context>
<context>
    <name>ulp::views::TensorView</name>
    <message>
        <source>Stop</source>
        <translation>Stoppen</translation>
    </message>
    <message>
        <source>Statistics of the tensor</source>
        <translation>Statistik des Tensors</translation>
    </message>
    <message>
        <source>Progress of reading</source>
        <translation>Fortschritt des Lesens</translation>
    </message>
    <message>
        <source>Stops reading; what is shown stays</source>
        <translation>Stoppt das Lesen; was gezeigt wird, bleibt</translation>
    </message>
    <message>
        <source>Four pictures beside each other</source>
        <translation>Vier Bilder nebeneinander</translation>
    </message>
    <message>
        <source>Blink between A and B (Space)</source>
        <translation>Zwischen A und B umschalten (Leertaste)</translation>
    </message>
    <message>
        <source>Mean of each cell instead of its extreme</source>
        <translation>Mittel jeder Zelle statt ihres Extremwerts</translation>
    </message>
    <message>
        <source>Go to element…</source>
        <translation>Zum Element…</translation>
    </message>
    <message>
        <source>Show everything</source>
        <translation>Alles zeigen</translation>
    </message>
    <message>
        <source>Element</source>
        <translation>Element</translation>
    </message>
    <message>
        <source>Position of an element, as 0, 5, 17; Return goes there (Ctrl+G)</source>
        <translation>Position eines Elements, etwa 0, 5, 17; die Eingabetaste springt dorthin (Strg+G)</translation>
    </message>
    <message>
        <source>Here the selected tensor is shown element by element, reference and variant.</source>
        <translation>Hier wird der gewählte Tensor Element für Element gezeigt, Referenz und Variante.</translation>
    </message>
    <message>
        <source>Open the study</source>
        <translation>Studie öffnen</translation>
    </message>
    <message>
        <source>Sample: 1 of %1 elements was kept, from a tensor of shape %2</source>
        <translation>Stichprobe: 1 von %1 Elementen wurde aufbewahrt, aus einem Tensor der Form %2</translation>
    </message>
    <message>
        <source>Along the row, %1</source>
        <translation>Entlang der Zeile, %1</translation>
    </message>
    <message>
        <source>Along the column, %1</source>
        <translation>Entlang der Spalte, %1</translation>
    </message>
    <message>
        <source>The sample holds no element at %1.</source>
        <translation>Die Stichprobe enthält kein Element bei %1.</translation>
    </message>
    <message>
        <source>%1 is no element of a tensor of shape %2.</source>
        <translation>%1 ist kein Element eines Tensors der Form %2.</translation>
    </message>
    <message>
        <source>Tensor</source>
        <translation>Tensor</translation>
    </message>
    <message>
        <source>The selected tensor element by element</source>
        <translation>Der gewählte Tensor, Element für Element</translation>
    </message>
    <message>
        <source>Fetch all (%1)</source>
        <translation>Alles holen (%1)</translation>
    </message>
    <message>
        <source>Fetches every element from the other machine, for statistics and exact pictures</source>
        <translation>Holt alle Elemente vom anderen Rechner, für Statistik und genaue Bilder</translation>
    </message>
</context>
<context>
    <name>ulp::views::ThresholdPane</name>
    <message>
        <source>Restore defaults</source>
        <translation>Vorgaben wiederherstellen</translation>
    </message>
    <message>
        <source>Thresholds of the rules</source>
        <translation>Schwellen der Regeln</translation>
    </message>
    <message>
        <source>%1. Default: %2</source>
        <translation>%1. Vorgabe: %2</translation>
    </message>
</context>
<context>
    <name>ulp::views::UlpHelp</name>
    <message>
        <source>not shown: ULP of two formats say nothing together</source>
        <translation>nicht gezeigt: ULP zweier Formate sind zusammen ohne Aussage</translation>
    </message>
    <message>
        <source>in ULP of %1</source>
        <translation>in ULP von %1</translation>
    </message>
    <message>
        <source>not shown: %1 ULP of %2, which has fewer numbers; %3 is 0 where they come from, or next to 0</source>
        <translation>nicht gezeigt: %1 ULP von %2, das weniger Zahlen hat; %3 ist 0, wo sie herkommen, oder liegt neben 0</translation>
    </message>
</context>
<context>
    <name>ulp::views::VariantsModel</name>
    <message>
        <source>%1 overrides %2</source>
        <translation>%1 überschreibt %2</translation>
    </message>
    <message>
        <source>Not overridden; set by: %1</source>
        <translation>Nicht überschrieben; gesetzt von: %1</translation>
    </message>
    <message>
        <source>Runs first, in float32 unless overridden; the variants are compared with it</source>
        <translation>Läuft zuerst, in float32, wo nicht überschrieben; mit ihr werden die Varianten verglichen</translation>
    </message>
    <message>
        <source>Variant</source>
        <translation>Variante</translation>
    </message>
    <message>
        <source>default</source>
        <translation>Vorgabe</translation>
    </message>
    <message>
        <source>study</source>
        <translation>Studie</translation>
    </message>
    <message>
        <source>fp32 everywhere</source>
        <translation>fp32 überall</translation>
    </message>
    <message>
        <source>reference</source>
        <translation>Referenz</translation>
    </message>
    <message>
        <source>variant</source>
        <translation>Variante</translation>
    </message>
    <message>
        <source>command line</source>
        <translation>Befehlszeile</translation>
    </message>
    <message>
        <source>run</source>
        <translation>Lauf</translation>
    </message>
</context>
<context>
    <name>ulp::views::VariantsPanel</name>
    <message>
        <source>Variants and their overrides</source>
        <translation>Varianten und was sie überschreiben</translation>
    </message>
    <message>
        <source>Double-click a cell to change it: Enter takes the text over, Escape drops it. Dim values are not overridden: they come from the study or the defaults.</source>
        <translation>Doppelklick auf eine Zelle ändert sie: Eingabetaste übernimmt den Text, Escape verwirft ihn. Blasse Werte sind nicht überschrieben: Sie kommen aus der Studie oder den Vorgaben.</translation>
    </message>
    <message>
        <source>Add</source>
        <translation>Hinzufügen</translation>
    </message>
    <message>
        <source>Add a variant</source>
        <translation>Variante hinzufügen</translation>
    </message>
    <message>
        <source>Duplicate</source>
        <translation>Duplizieren</translation>
    </message>
    <message>
        <source>Add a copy of the selected variant</source>
        <translation>Kopie der gewählten Variante hinzufügen</translation>
    </message>
    <message>
        <source>Rename</source>
        <translation>Umbenennen</translation>
    </message>
    <message>
        <source>Rename the selected variant</source>
        <translation>Gewählte Variante umbenennen</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>Löschen</translation>
    </message>
    <message>
        <source>Delete the selected variant</source>
        <translation>Gewählte Variante löschen</translation>
    </message>
    <message>
        <source>Move up</source>
        <translation>Nach oben</translation>
    </message>
    <message>
        <source>Run the selected variant earlier</source>
        <translation>Gewählte Variante früher ausführen</translation>
    </message>
    <message>
        <source>Move down</source>
        <translation>Nach unten</translation>
    </message>
    <message>
        <source>Run the selected variant later</source>
        <translation>Gewählte Variante später ausführen</translation>
    </message>
    <message>
        <source>Override</source>
        <translation>Überschreiben</translation>
    </message>
    <message>
        <source>Override a key in the selected run</source>
        <translation>Einen Schlüssel im gewählten Lauf überschreiben</translation>
    </message>
    <message>
        <source>Grid…</source>
        <translation>Raster…</translation>
    </message>
    <message>
        <source>Make variants of all combinations of values</source>
        <translation>Varianten aus allen Kombinationen von Werten anlegen</translation>
    </message>
</context>
<context>
    <name>ulp::views::View</name>
    <message>
        <source>For %1 to be seen, %2 now shows %3.</source>
        <translation>Damit %1 zu sehen ist, zeigt „%2“ jetzt %3.</translation>
    </message>
    <message>
        <source>Change back</source>
        <translation>Zurückstellen</translation>
    </message>
</context>
<context>
    <name>ulp::views::YamlEditor</name>
    <message>
        <source>Study as YAML</source>
        <translation>Studie als YAML</translation>
    </message>
    <message>
        <source>Completions</source>
        <translation>Vervollständigungen</translation>
    </message>
</context>
<context>
    <name>ulp::views::charts::ClassLegend</name>
    <message>
        <source>Cells with a look of their own</source>
        <translation>Zellen mit eigenem Aussehen</translation>
    </message>
</context>
<context>
    <name>ulp::views::charts::DepthChart</name>
    <message>
        <source>Error by depth</source>
        <translation>Fehler über die Tiefe</translation>
    </message>
    <message>
        <source>%1 by depth. Tensors: %2. Variants: %3. Arrows walk tensors and variants.</source>
        <translation>%1 über die Tiefe. Tensoren: %2. Varianten: %3. Pfeiltasten wechseln Tensor und Variante.</translation>
    </message>
    <message>
        <source>%1: no value</source>
        <translation>%1: kein Wert</translation>
    </message>
    <message>
        <source>%1, %2 elements are not finite</source>
        <translation>%1, %2 Elemente sind nicht endlich</translation>
    </message>
    <message>
        <source>%1, within noise</source>
        <translation>%1, im Rauschen</translation>
    </message>
</context>
<context>
    <name>ulp::views::charts::DepthPanels</name>
    <message>
        <source>Error by depth, one panel for each variant</source>
        <translation>Fehler über die Tiefe, ein Feld je Variante</translation>
    </message>
</context>
<context>
    <name>ulp::views::charts::HistogramView</name>
    <message>
        <source>Histogram</source>
        <translation>Histogramm</translation>
    </message>
    <message>
        <source>Histogram of %1 in %2 bins: %3</source>
        <translation>Histogramm von %1 in %2 Klassen: %3</translation>
    </message>
</context>
<context>
    <name>ulp::views::charts::RangeBar</name>
    <message>
        <source>Colour range</source>
        <translation>Farbbereich</translation>
    </message>
    <message>
        <source>Drag an end to choose which values the colours tell apart; double click shows them all. Keys: left and right move the active end, up and down choose it.</source>
        <translation>Ein Ende ziehen, um zu wählen, welche Werte die Farben unterscheiden; Doppelklick zeigt alle. Tasten: links und rechts bewegen das aktive Ende, auf und ab wählen es.</translation>
    </message>
    <message>
        <source>From %1 to %2; %3 is active.</source>
        <translation>Von %1 bis %2; %3 ist aktiv.</translation>
    </message>
    <message>
        <source>the low end</source>
        <translation>das untere Ende</translation>
    </message>
    <message>
        <source>the high end</source>
        <translation>das obere Ende</translation>
    </message>
</context>
<context>
    <name>ulp::views::charts::RangeControl</name>
    <message>
        <source>Fit range</source>
        <translation>Bereich anpassen</translation>
    </message>
    <message>
        <source>Always fit</source>
        <translation>Immer anpassen</translation>
    </message>
    <message>
        <source>Sets the ends to the smallest and the largest value shown</source>
        <translation>Setzt die Enden auf den kleinsten und den größten gezeigten Wert</translation>
    </message>
    <message>
        <source>Fits the range whenever other values are shown</source>
        <translation>Passt den Bereich an, sobald andere Werte gezeigt werden</translation>
    </message>
</context>
<context>
    <name>ulp::views::charts::RasterWidget</name>
    <message>
        <source>Heatmap</source>
        <translation>Heatmap</translation>
    </message>
    <message>
        <source>Rows: %1. Columns: %2. Arrows walk the cells.</source>
        <translation>Zeilen: %1. Spalten: %2. Pfeiltasten wechseln die Zelle.</translation>
    </message>
    <message>
        <source>%1: missing</source>
        <translation>%1: fehlt</translation>
    </message>
</context>
<context>
    <name>ulp::views::charts::VariantLegend</name>
    <message>
        <source>Variants</source>
        <translation>Varianten</translation>
    </message>
    <message>
        <source>Use as noise band</source>
        <translation>Als Rauschband verwenden</translation>
    </message>
    <message>
        <source>Shade what is no worse than this variant</source>
        <translation>Schattieren, was nicht schlechter ist als diese Variante</translation>
    </message>
    <message>
        <source>Show alone</source>
        <translation>Nur diese zeigen</translation>
    </message>
    <message>
        <source>noise: %1</source>
        <translation>Rauschen: %1</translation>
    </message>
    <message>
        <source>has the same values as %1</source>
        <translation>hat dieselben Werte wie %1</translation>
    </message>
    <message>
        <source>A click on the name shows it alone, another one all of them.</source>
        <translation>Ein Klick auf den Namen zeigt nur diese, ein weiterer alle.</translation>
    </message>
</context>
</TS>
